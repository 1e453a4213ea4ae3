// A C interface to MuJoCo for the benchmark: one model, many copies of its data, access to states, and a loop of steps.

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

}  // extern "C"
