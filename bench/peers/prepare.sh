# Fetches and compiles peers once under target/peers; sourced from the root of the repository. Each function returns
# non-zero if its peer cannot be prepared; `attempt` then prints one line on stderr.

peers=$PWD/target/peers
mkdir -p "$peers"

# attempt NAME FUNCTION: runs the function; its output goes to a log, except lines that begin with 'bench:'.
attempt() {
    local log=$peers/$2.log
    if ! "$2" >"$log" 2> >(tee -a "$log" | grep '^bench:' >&2); then
        echo "bench: skipped $1, which could not be prepared (needs python3-venv, g++ and PyPI); see $log" >&2
        return 1
    fi
}

# install VENV MARK PACKAGE...: installs packages into a virtual environment, unless the mark file exists.
install() {
    local venv=$peers/$1 mark=$peers/$1/$2
    shift 2
    [[ -e $mark ]] && return
    echo "bench: fetching $* (once)" >&2
    [[ -e $venv/bin/pip ]] || python3 -m venv "$venv" || return 1
    "$venv/bin/pip" install "$@" && touch "$mark"
}

# Coal's C++ library is in its Python wheel; the shim is a C interface to it.
prepare_coal() {
    local shim=$peers/libcoal_shim.so source=bench/peers/coal_shim.cpp prefix
    install coal ready coal libcoal cmeel-eigen cmeel-boost || return 1
    prefix=$(echo "$peers"/coal/lib/python3*/site-packages/cmeel.prefix)
    if [[ ! -e $shim || $source -nt $shim || $peers/coal/ready -nt $shim ]]; then
        g++ -std=c++17 -O3 -DNDEBUG -fPIC -shared -isystem "$prefix/include" -isystem "$prefix/include/eigen3" \
            "$source" -o "$shim" -L"$prefix/lib" -lcoal -Wl,-rpath,"$prefix/lib" || return 1
    fi
    export BURGESS_BENCH_COAL=$shim
}

# Pinocchio for Python.
prepare_pinocchio_wheel() {
    install pinocchio ready pin cmeel-eigen cmeel-boost
}

# Its algorithms are templates, which the shim compiles, so nothing is linked. The definitions are those of its own build.
prepare_pinocchio() {
    local shim=$peers/libpinocchio_shim.so source=bench/peers/pinocchio_shim.cpp prefix
    prepare_pinocchio_wheel || return 1
    prefix=$(echo "$peers"/pinocchio/lib/python3*/site-packages/cmeel.prefix)
    if [[ ! -e $shim || $source -nt $shim || $peers/pinocchio/ready -nt $shim ]]; then
        echo "bench: compiling Pinocchio's templates (once, takes a minute or two)" >&2
        g++ -std=c++17 -O3 -DNDEBUG -fPIC -shared -DBOOST_MPL_LIMIT_LIST_SIZE=30 -DBOOST_MPL_LIMIT_VECTOR_SIZE=30 \
            -DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS -DBOOST_FUSION_INVOKE_MAX_ARITY=12 \
            -isystem "$prefix/include" -isystem "$prefix/include/eigen3" \
            "$source" -o "$shim" || return 1
    fi
    export BURGESS_BENCH_PINOCCHIO=$shim
}

# SnapPy computes Dirichlet domains.
prepare_snappy() {
    install snappy ready snappy
}

# MuJoCo in the same virtual environment, because one script compares with both.
prepare_mujoco() {
    install pinocchio ready-mujoco mujoco numpy
}

# MuJoCo's C library is in the wheel; the shim steps many copies of a model.
prepare_mujoco_shim() {
    local shim=$peers/libmujoco_shim.so source=bench/peers/mujoco_shim.cpp folder library
    prepare_mujoco || return 1
    folder=$(echo "$peers"/pinocchio/lib/python3*/site-packages/mujoco)
    library=$(echo "$folder"/libmujoco.so.*)
    if [[ ! -e $shim || $source -nt $shim || $peers/pinocchio/ready-mujoco -nt $shim ]]; then
        g++ -std=c++17 -O3 -DNDEBUG -fPIC -shared -isystem "$folder/include" \
            "$source" -o "$shim" "$library" -Wl,-rpath,"$folder" || return 1
    fi
    export BURGESS_BENCH_MUJOCO=$shim
}

# Only the models of Gymnasium are needed, so its wheel is unpacked but not installed.
prepare_gymnasium() {
    local folder=$peers/gymnasium
    if [[ ! -e $folder/ready ]]; then
        prepare_mujoco || return 1
        echo "bench: fetching gymnasium (once)" >&2
        mkdir -p "$folder" || return 1
        "$peers/pinocchio/bin/pip" download --no-deps --dest "$folder" gymnasium==1.4.0 || return 1
        "$peers/pinocchio/bin/python" -m zipfile -e "$folder"/gymnasium-*.whl "$folder" && touch "$folder/ready" || return 1
    fi
    export BURGESS_BENCH_MODELS=$folder/gymnasium/envs/mujoco/assets
}
