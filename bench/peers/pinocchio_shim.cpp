// A C interface to Pinocchio for the benchmark: a tree, a batch of states, and a loop of forward dynamics.
//
// A link is 24 numbers: its parent (-1: the world), its joint (0: free flyer, 1 to 3: hinge about x, y, z), the joint's
// frame in the parent's (rotation row by row, translation), mass, centre of mass, and the inertia about it (xx, yy, zz,
// xy, xz, yz). Parents come first. A link's frame is its joint's. States are in Pinocchio's own layout, joints in the
// order of the links: a free flyer has x, y, z and the quaternion x, y, z, w; its velocities and efforts are linear,
// then angular, of the link's frame and along its axes.

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/sample-models.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kNumbersPerLink = 24;

struct Tree {
  pinocchio::Model model;
  std::unique_ptr<pinocchio::Data> data;
  std::vector<Eigen::VectorXd> q, v, tau;
};

Tree* finished(std::unique_ptr<Tree> tree) {
  tree->data = std::make_unique<pinocchio::Data>(tree->model);
  return tree.release();
}

pinocchio::JointModel joint_model(int kind) {
  switch (kind) {
    case 0: return pinocchio::JointModelFreeFlyer();
    case 1: return pinocchio::JointModelRX();
    case 2: return pinocchio::JointModelRY();
    case 3: return pinocchio::JointModelRZ();
    default: throw std::invalid_argument("joint");
  }
}

// Returns -1 for joints that the layout above does not have.
int joint_kind(const pinocchio::JointModel& joint) {
  const std::string name = joint.shortname();
  if (name == "JointModelFreeFlyer") return 0;
  if (name == "JointModelRX") return 1;
  if (name == "JointModelRY") return 2;
  if (name == "JointModelRZ") return 3;
  return -1;
}

}  // namespace

extern "C" {

// Creates Pinocchio's sample humanoid with a free flyer. Returns null on errors.
void* pinocchio_humanoid() {
  try {
    auto tree = std::make_unique<Tree>();
    pinocchio::buildModels::humanoid(tree->model, true);
    return finished(std::move(tree));
  } catch (...) {
    return nullptr;
  }
}

// Returns null if Pinocchio rejects the tree.
void* pinocchio_tree(const double* links, std::size_t count) {
  try {
    auto tree = std::make_unique<Tree>();
    for (std::size_t i = 0; i < count; ++i) {
      const double* n = links + kNumbersPerLink * i;
      const auto parent = static_cast<pinocchio::JointIndex>(n[0] + 1);
      const pinocchio::SE3 placement(Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(n + 2),
                                     Eigen::Map<const Eigen::Vector3d>(n + 11));
      Eigen::Matrix3d inertia;
      inertia << n[18], n[21], n[22], n[21], n[19], n[23], n[22], n[23], n[20];
      const auto joint = tree->model.addJoint(parent, joint_model(static_cast<int>(n[1])), placement,
                                              "joint" + std::to_string(i));
      tree->model.appendBodyToJoint(
          joint, pinocchio::Inertia(n[14], Eigen::Map<const Eigen::Vector3d>(n + 15), inertia),
          pinocchio::SE3::Identity());
    }
    return finished(std::move(tree));
  } catch (...) {
    return nullptr;
  }
}

void pinocchio_free(void* handle) { delete static_cast<Tree*>(handle); }

std::size_t pinocchio_link_count(const void* handle) {
  return static_cast<const Tree*>(handle)->model.njoints - 1;
}

// Writes 24 numbers for each link. A joint kind of -1 means that the layout does not have it.
void pinocchio_links(const void* handle, double* links) {
  const auto& model = static_cast<const Tree*>(handle)->model;
  for (pinocchio::JointIndex joint = 1; joint < static_cast<pinocchio::JointIndex>(model.njoints); ++joint) {
    double* n = links + kNumbersPerLink * (joint - 1);
    const auto& placement = model.jointPlacements[joint];
    const auto& body = model.inertias[joint];
    const Eigen::Matrix3d inertia = body.inertia().matrix();
    n[0] = static_cast<double>(model.parents[joint]) - 1;
    n[1] = joint_kind(model.joints[joint]);
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(n + 2) = placement.rotation();
    Eigen::Map<Eigen::Vector3d>(n + 11) = placement.translation();
    n[14] = body.mass();
    Eigen::Map<Eigen::Vector3d>(n + 15) = body.lever();
    const double six[] = {inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1), inertia(0, 2), inertia(1, 2)};
    for (int k = 0; k < 6; ++k) n[18 + k] = six[k];
  }
}

// Loads `count` consecutive states.
void pinocchio_load(void* handle, const double* q, const double* v, const double* tau, std::size_t count) {
  auto& tree = *static_cast<Tree*>(handle);
  const auto nq = tree.model.nq, nv = tree.model.nv;
  tree.q.resize(count);
  tree.v.resize(count);
  tree.tau.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    tree.q[i] = Eigen::Map<const Eigen::VectorXd>(q + nq * i, nq);
    tree.v[i] = Eigen::Map<const Eigen::VectorXd>(v + nv * i, nv);
    tree.tau[i] = Eigen::Map<const Eigen::VectorXd>(tau + nv * i, nv);
  }
}

// The timed loop: `work` evaluations that repeat the loaded states. `accelerations` has space for those of every state.
// `world`: Pinocchio's convention, WORLD or LOCAL.
void pinocchio_run(void* handle, int world, std::size_t work, double* accelerations) {
  auto& tree = *static_cast<Tree*>(handle);
  const auto convention = world ? pinocchio::Convention::WORLD : pinocchio::Convention::LOCAL;
  const auto nv = tree.model.nv;
  std::size_t i = 0;
  for (std::size_t done = 0; done < work; ++done) {
    Eigen::Map<Eigen::VectorXd>(accelerations + nv * i, nv) =
        pinocchio::aba(tree.model, *tree.data, tree.q[i], tree.v[i], tree.tau[i], convention);
    if (++i == tree.q.size()) i = 0;
  }
}

// Residual of M a + b = tau for accelerations `a` of a loaded state, relative to the size of the terms.
double pinocchio_backward_error(void* handle, std::size_t state, const double* a) {
  auto& tree = *static_cast<Tree*>(handle);
  const Eigen::Map<const Eigen::VectorXd> acceleration(a, tree.model.nv);
  Eigen::MatrixXd mass = pinocchio::crba(tree.model, *tree.data, tree.q[state], pinocchio::Convention::LOCAL);
  mass.triangularView<Eigen::StrictlyLower>() = mass.transpose().triangularView<Eigen::StrictlyLower>();
  const Eigen::VectorXd bias =
      pinocchio::nonLinearEffects(tree.model, *tree.data, tree.q[state], tree.v[state]);
  const Eigen::VectorXd& tau = tree.tau[state];
  const Eigen::VectorXd residual = mass * acceleration + bias - tau;
  const Eigen::VectorXd scale =
      mass.cwiseAbs() * acceleration.cwiseAbs() + bias.cwiseAbs() + tau.cwiseAbs();
  return residual.cwiseAbs().maxCoeff() / scale.maxCoeff();
}

}  // extern "C"
