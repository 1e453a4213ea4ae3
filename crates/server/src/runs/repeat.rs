//! The command line that repeats a run.

use burgess_evolution::RunConfig;

use super::start::NewRun;

/// Arguments of `burgess` that start a run with the same configuration; none if only a configuration file can express
/// it.
pub(super) fn arguments(config: &RunConfig) -> Option<Vec<String>> {
    let algorithm = config.algorithm.name();
    let candidates = [None, Some(algorithm.to_string())].map(|algorithm| NewRun {
        task: config.task.name.clone(),
        seed: Some(config.seed),
        evaluations: Some(config.evaluations),
        algorithm,
        family: Some(config.family.name().to_string()),
    });
    let found = candidates.into_iter().find(|new| new.config().is_ok_and(|made| made == *config))?;
    let NewRun { task, algorithm, .. } = found;
    let mut words = vec!["evolve".to_string(), task];
    let mut option = |name: &str, value: String| words.extend([format!("--{name}"), value]);
    option("seed", config.seed.to_string());
    option("evaluations", config.evaluations.to_string());
    if let Some(name) = algorithm {
        option("algorithm", name.replace('_', "-"));
    }
    option("family", config.family.name().to_string());
    Some(words)
}

#[cfg(test)]
mod tests {
    use burgess_creature::task::Task;

    use super::*;

    fn new(algorithm: Option<&str>) -> RunConfig {
        let new = NewRun {
            task: "walk".into(),
            seed: Some(7),
            evaluations: Some(500),
            algorithm: algorithm.map(str::to_string),
            family: Some("graph".into()),
        };
        new.config().unwrap()
    }

    #[test]
    fn the_options_of_a_run_are_found() {
        let found = arguments(&new(Some("genetic"))).unwrap().join(" ");
        assert_eq!(found, "evolve walk --seed 7 --evaluations 500 --algorithm genetic --family graph");
        let found = arguments(&new(Some("map_elites"))).unwrap().join(" ");
        assert_eq!(found, "evolve walk --seed 7 --evaluations 500 --algorithm map-elites --family graph");
        let found = arguments(&new(None)).unwrap().join(" ");
        assert_eq!(found, "evolve walk --seed 7 --evaluations 500 --family graph");
    }

    #[test]
    fn other_settings_need_a_file() {
        let config = new(Some("genetic"));
        let task = Task { duration: 3.0, ..config.task.clone() };
        assert_eq!(arguments(&RunConfig { task, ..config.clone() }), None);
        let task = Task { name: "; rm -rf /".into(), ..config.task.clone() };
        assert_eq!(arguments(&RunConfig { task, ..config }), None);
    }
}
