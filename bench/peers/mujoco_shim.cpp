// A C interface to MuJoCo for the benchmark: one model, many copies of its data, access to states, and a loop of steps;
// and for the referee: contact parameters, external forces, and which bodies touch.

#include <mujoco/mujoco.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace {

struct Model {
  mjModel* model = nullptr;
  std::vector<mjData*> copies;

  ~Model() {
    for (mjData* data : copies) mj_deleteData(data);
    mj_deleteModel(model);
  }
};

Model& from(void* handle) { return *static_cast<Model*>(handle); }

void keep_quiet(const char*) {}

}  // namespace

extern "C" {

// Returns null if MuJoCo cannot load the file, with the reason in `error`. `step` is in s, the integrator is semi-implicit
// Euler; other settings are those of the file.
void* mujoco_load(const char* path, double step, std::size_t copies, char* error, int error_size) {
  mju_user_warning = keep_quiet;
  auto made = std::make_unique<Model>();
  made->model = mj_loadXML(path, nullptr, error, error_size);
  if (!made->model) return nullptr;
  made->model->opt.timestep = step;
  made->model->opt.integrator = mjINT_EULER;
  for (std::size_t i = 0; i < copies; ++i) {
    made->copies.push_back(mj_makeData(made->model));
    if (!made->copies.back()) {
      made->copies.pop_back();
      return nullptr;
    }
  }
  return made.release();
}

void mujoco_free(void* handle) { delete static_cast<Model*>(handle); }

// Lengths of positions, velocities and controls.
void mujoco_sizes(void* handle, std::size_t* sizes) {
  const mjModel* model = from(handle).model;
  sizes[0] = model->nq;
  sizes[1] = model->nv;
  sizes[2] = model->nu;
}

// `warm_start`: accelerations from which the constraint solver starts; if null, those of the last step are kept.
void mujoco_set(void* handle, std::size_t copy, const double* qpos, const double* qvel, const double* ctrl,
                const double* warm_start) {
  const mjModel* model = from(handle).model;
  mjData* data = from(handle).copies[copy];
  mj_setState(model, data, qpos, mjSTATE_QPOS);
  mj_setState(model, data, qvel, mjSTATE_QVEL);
  mj_setState(model, data, ctrl, mjSTATE_CTRL);
  if (warm_start) mj_setState(model, data, warm_start, mjSTATE_WARMSTART);
}

// The timed loop: a step of each of the first `count` copies.
void mujoco_step(void* handle, std::size_t count) {
  const Model& made = from(handle);
  for (std::size_t i = 0; i < count; ++i) mj_step(made.model, made.copies[i]);
}

void mujoco_get(void* handle, std::size_t copy, double* qpos, double* qvel) {
  const mjModel* model = from(handle).model;
  mjData* data = from(handle).copies[copy];
  mj_getState(model, data, qpos, mjSTATE_QPOS);
  mj_getState(model, data, qvel, mjSTATE_QVEL);
}

// Number of contacts of a copy's last step.
std::size_t mujoco_contacts(void* handle, std::size_t copy) { return from(handle).copies[copy]->ncon; }

// `integrator` and `cone` are MuJoCo's numbers; negative ones keep the present setting, as does an impratio of 0.
void mujoco_options(void* handle, int integrator, int cone, double impratio) {
  mjOption& option = from(handle).model->opt;
  if (integrator >= 0) option.integrator = integrator;
  if (cone >= 0) option.cone = cone;
  if (impratio > 0) option.impratio = impratio;
}

// Softness of all contacts: the two numbers of `solref` and the first three of `solimp`.
void mujoco_soften(void* handle, const double* solref, const double* solimp) {
  mjModel* model = from(handle).model;
  for (int geom = 0; geom < model->ngeom; ++geom) {
    for (int i = 0; i < 2; ++i) model->geom_solref[geom * mjNREF + i] = solref[i];
    for (int i = 0; i < 3; ++i) model->geom_solimp[geom * mjNIMP + i] = solimp[i];
  }
}

// Whether moving bodies collide with each other; they always collide with what is fixed.
void mujoco_self_collision(void* handle, int on) {
  mjModel* model = from(handle).model;
  if (on) return;
  for (int geom = 0; geom < model->ngeom; ++geom) {
    const bool is_fixed = model->body_weldid[model->geom_bodyid[geom]] == 0;
    model->geom_contype[geom] = is_fixed ? 1 : 0;
    model->geom_conaffinity[geom] = is_fixed ? 0 : 1;
  }
}

// Whether actuators act.
void mujoco_actuate(void* handle, int on) {
  int& flags = from(handle).model->opt.disableflags;
  flags = on ? flags & ~mjDSBL_ACTUATION : flags | mjDSBL_ACTUATION;
}

std::size_t mujoco_bodies(void* handle) { return from(handle).model->nbody; }

const char* mujoco_body_name(void* handle, std::size_t body) {
  const char* name = mj_id2name(from(handle).model, mjOBJ_BODY, static_cast<int>(body));
  return name ? name : "";
}

// Removes all external forces of a copy and updates its poses, which `mujoco_push` needs.
void mujoco_begin_pushes(void* handle, std::size_t copy) {
  const mjModel* model = from(handle).model;
  mjData* data = from(handle).copies[copy];
  mju_zero(data->qfrc_applied, model->nv);
  mj_kinematics(model, data);
  mj_comPos(model, data);
}

// Adds a force and a moment about a point, along the axes of the world.
void mujoco_push(void* handle, std::size_t copy, std::size_t body, const double* force, const double* moment,
                 const double* point) {
  const mjModel* model = from(handle).model;
  mjData* data = from(handle).copies[copy];
  mj_applyFT(model, data, force, moment, point, static_cast<int>(body), data->qfrc_applied);
}

// Bodies of the contacts of the last step that transmit a force, two for each; at most `capacity` contacts.
std::size_t mujoco_touches(void* handle, std::size_t copy, std::size_t* bodies, std::size_t capacity) {
  const mjModel* model = from(handle).model;
  mjData* data = from(handle).copies[copy];
  std::size_t count = 0;
  for (int i = 0; i < data->ncon && count < capacity; ++i) {
    mjtNum force[6];
    mj_contactForce(model, data, i, force);
    if (force[0] <= 0) continue;
    bodies[2 * count] = model->geom_bodyid[data->contact[i].geom[0]];
    bodies[2 * count + 1] = model->geom_bodyid[data->contact[i].geom[1]];
    ++count;
  }
  return count;
}

}  // extern "C"
