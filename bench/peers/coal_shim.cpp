// A C interface to Coal for the benchmark: shapes, a batch of poses, and a loop of distance queries.
// Queries use Coal's warm start: GJK starts with the direction and support vertices of the last query.

#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace {

struct Pair {
  std::shared_ptr<coal::ShapeBase> a, b;
  std::unique_ptr<coal::ComputeDistance> distance;
  coal::DistanceRequest request;
  std::vector<coal::Transform3s, Eigen::aligned_allocator<coal::Transform3s>> poses_a, poses_b;
};

// `numbers`: three half extents if `count` is 0, else the coordinates of `count` points.
std::shared_ptr<coal::ShapeBase> make_shape(const double* numbers, std::size_t count) {
  if (count == 0) {
    return std::make_shared<coal::Box>(2 * numbers[0], 2 * numbers[1], 2 * numbers[2]);
  }
  auto points = std::make_shared<std::vector<coal::Vec3s>>();
  for (std::size_t i = 0; i < count; ++i) {
    points->emplace_back(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
  }
  // The triangles give Coal the vertex neighbours for hill climbing.
  return std::shared_ptr<coal::ShapeBase>(
      coal::ConvexBase::convexHull(points, static_cast<unsigned int>(count), true));
}

// Reads x, y, z, then the quaternion x, y, z, w.
coal::Transform3s make_pose(const double* p) {
  return coal::Transform3s(Eigen::Quaterniond(p[6], p[3], p[4], p[5]).toRotationMatrix(),
                           coal::Vec3s(p[0], p[1], p[2]));
}

}  // namespace

extern "C" {

// Returns null if Coal rejects the shapes.
void* coal_pair_new(const double* a, std::size_t count_a, const double* b, std::size_t count_b) {
  try {
    auto pair = std::make_unique<Pair>();
    pair->a = make_shape(a, count_a);
    pair->b = make_shape(b, count_b);
    pair->distance = std::make_unique<coal::ComputeDistance>(pair->a.get(), pair->b.get());
    pair->request.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
    // As for the other libraries, no penetration depth is computed.
    pair->request.enable_signed_distance = false;
    return pair.release();
  } catch (...) {
    return nullptr;
  }
}

void coal_pair_free(void* handle) { delete static_cast<Pair*>(handle); }

// `poses`: for every query the seven numbers of a, then the seven of b.
void coal_pair_load(void* handle, const double* poses, std::size_t count) {
  auto& pair = *static_cast<Pair*>(handle);
  pair.poses_a.clear();
  pair.poses_b.clear();
  for (std::size_t i = 0; i < count; ++i) {
    pair.poses_a.push_back(make_pose(poses + 14 * i));
    pair.poses_b.push_back(make_pose(poses + 14 * i + 7));
  }
}

// The timed loop. `answers`: seven numbers a query: distance, point on a, point on b, in world coordinates.
// Returns the sum of the distances.
double coal_pair_run(void* handle, double* answers) {
  auto& pair = *static_cast<Pair*>(handle);
  coal::DistanceResult result;
  double sum = 0;
  for (std::size_t i = 0; i < pair.poses_a.size(); ++i) {
    result.clear();
    const double distance = (*pair.distance)(pair.poses_a[i], pair.poses_b[i], pair.request, result);
    pair.request.updateGuess(result);
    double* answer = answers + 7 * i;
    answer[0] = distance;
    for (int k = 0; k < 3; ++k) {
      answer[1 + k] = result.nearest_points[0][k];
      answer[4 + k] = result.nearest_points[1][k];
    }
    sum += distance;
  }
  return sum;
}

}  // extern "C"
