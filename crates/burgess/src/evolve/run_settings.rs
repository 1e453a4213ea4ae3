//! The configuration of a run: a task or a configuration file, and the options that change it.

use std::path::Path;

use anyhow::{Context, Result, bail};
use burgess_catalog::{Subject, find_task, read_text};
use burgess_creature::{AnyGenome, Family};
use burgess_evolution::{AlgorithmConfig, Archive, Founder, RunConfig};
use clap::{Args, ValueEnum};

use crate::creature_argument::load_creature;
use crate::notices::notice;

/// What to evolve.
#[derive(Args)]
pub struct RunSettings {
    /// Name of a task (`burgess tasks` lists them), task file, or whole configuration as --print-config prints it
    #[arg(value_name = "TASK|FILE.toml")]
    what: String,
    /// Set the seed; the same seed gives the same run, bit for bit [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Make N evaluations; the stages of the run change in proportion [default: 2650; 2000 for contests and tasks that
    /// become harder, 400 for crowds]
    #[arg(long, value_name = "N")]
    evaluations: Option<u64>,
    /// Choose the search algorithm of a run without stages [default: two stages, map-elites and strategy; without stages
    /// map-elites for contests and for tasks that become harder, cma-es for crowds]
    #[arg(long, value_name = "NAME", value_enum)]
    algorithm: Option<Algorithm>,
    /// Keep N creatures in evaluation: breed without waiting for the last N results, in all stages; a larger number
    /// keeps more cores busy and makes the search worse [default: 64 to 96, less in short runs]
    #[arg(long, value_name = "N")]
    window: Option<u64>,
    /// Choose the family of genomes of the first creatures [default: legged]
    #[arg(long, value_name = "NAME", value_enum)]
    family: Option<GenomeFamily>,
    /// Start from a creature (a name, .json or RUN#NUMBER) and its mutants, or from the best creatures of a run; may be
    /// given several times
    /// [default: random creatures]
    #[arg(long, value_name = "FILE|RUN")]
    from: Vec<String>,
}

/// Names of the algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Algorithm {
    /// Genetic algorithm: the best survive, all others are children of selected parents
    Genetic,
    /// Evolution strategy (mu, lambda) with lambda = 6 mu and self-adaptive mutation
    Strategy,
    /// Cellular genetic algorithm: parents are neighbours on a toroidal grid
    Diffusion,
    /// Age-fitness Pareto selection: creatures compete with creatures of similar age
    #[value(alias = "age_fitness")]
    AgeFitness,
    /// MAP-Elites: keep the best creature in every cell of a grid of body features
    #[value(alias = "map_elites")]
    MapElites,
    /// CMA-ES on the numbers of the control of one body
    #[value(alias = "cma_es")]
    CmaEs,
    /// CMA-ME: MAP-Elites whose cells are filled by several CMA-ES
    #[value(alias = "cma_me")]
    CmaMe,
}

/// Names of the families.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GenomeFamily {
    /// Directed graphs of parts with networks of neurons
    Graph,
    /// Trunks with pairs of limbs that are driven by oscillators
    Legged,
}

impl RunSettings {
    /// Returns the configuration, changed by the options.
    pub fn config(&self) -> Result<RunConfig> {
        let mut config = self.base()?;
        config.seed = self.seed.unwrap_or(config.seed);
        match self.family {
            Some(GenomeFamily::Graph) => config.family = Family::Graph,
            Some(GenomeFamily::Legged) => config.family = Family::Legged,
            None => {}
        }
        if let Some(algorithm) = self.algorithm {
            config.stages.clear();
            config.algorithm = match algorithm {
                Algorithm::Genetic => AlgorithmConfig::Genetic(Default::default()),
                Algorithm::Strategy => AlgorithmConfig::Strategy(Default::default()),
                Algorithm::Diffusion => AlgorithmConfig::Diffusion(Default::default()),
                Algorithm::AgeFitness => AlgorithmConfig::AgeFitness(Default::default()),
                Algorithm::MapElites => AlgorithmConfig::MapElites(Default::default()),
                Algorithm::CmaEs => AlgorithmConfig::CmaEs(Default::default()),
                Algorithm::CmaMe => AlgorithmConfig::CmaMe(Default::default()),
            };
            config.shrink_defaults();
        }
        if let Some(window) = self.window {
            config.set_window(window);
        }
        config.check()?;
        Ok(config)
    }

    /// Returns the configuration of the task or file, with the chosen number of evaluations.
    fn base(&self) -> Result<RunConfig> {
        let path = Path::new(&self.what);
        if Archive::is_database(path) {
            let run = &self.what;
            bail!(
                "{run} is a run: continue it with `burgess resume {run}`, or start from it with `burgess evolve TASK --from {run}`"
            );
        }
        let extension = path.extension().map(|extension| extension.to_ascii_lowercase()).unwrap_or_default();
        if extension == "json" {
            bail!("{0} is a creature: start from it with `burgess evolve TASK --from {0}`", self.what);
        }
        if extension == "xml" || extension == "urdf" {
            bail!("{0} is a model, expected a task; see it with `burgess watch {0}`", self.what);
        }
        if extension == "toml" {
            let text = read_text(Path::new(&self.what))?;
            // Tasks and configurations have no keys in common.
            let own: toml::Table = toml::from_str(&RunConfig::default().to_toml()).unwrap_or_default();
            let is_config = |table: toml::Table| table.keys().any(|key| own.contains_key(key));
            if text.parse().is_ok_and(is_config) {
                return Ok(RunConfig::from_toml_scaled(&text, &self.what, self.evaluations)?);
            }
        }
        let mut config = RunConfig::recipe(find_task(&self.what)?);
        if let Some(evaluations) = self.evaluations {
            config.scale_to(evaluations);
        }
        config.shrink_defaults();
        Ok(config)
    }

    /// Returns the founders of the first generation: the creatures, the best of each run, and mutants of these, so that
    /// each source fills an equal share. All are of one family, which becomes that of the run.
    pub fn founders(&self, config: &mut RunConfig) -> Result<Vec<Founder>> {
        let founders = self.sources(config)?;
        let Some(family) = founders.first().map(|founder| founder.genome.family()) else { return Ok(founders) };
        if let Some(other) = founders.iter().find(|founder| founder.genome.family() != family) {
            bail!(
                "--from {} and --from {}: a {} and a {} genome cannot have a child; start from one family",
                founders[0].origin,
                other.origin,
                family.name(),
                other.genome.family().name()
            );
        }
        let tuned = config.task.crowd.as_ref().map(|crowd| crowd.tune.len());
        for founder in &founders {
            if let (Some(tuned), AnyGenome::Tuning(genome)) = (tuned, &founder.genome)
                && genome.shares.len() != tuned
            {
                let (origin, found) = (&founder.origin, genome.shares.len());
                bail!("--from {origin}: it has {found} tuned numbers, and the task tunes {tuned}");
            }
        }
        if self.family.is_some() && config.family != family {
            let (wanted, origin) = (config.family.name(), &founders[0].origin);
            bail!("--family {wanted}: {origin} has a {} genome; leave out --family", family.name());
        }
        if config.family != family {
            notice(&format!("the genomes of --from are {0}, so all creatures of this run are {0}", family.name()));
            config.family = family;
        }
        Ok(config.fill_generation(founders))
    }

    fn sources(&self, config: &RunConfig) -> Result<Vec<Founder>> {
        let mut founders = Vec::new();
        for word in &self.from {
            let subject = Subject::resolve_creature(word).with_context(|| format!("--from {word}"))?;
            if let Subject::Run(path) = &subject {
                let share = config.stage(0).first_generation().div_ceil(self.from.len()).max(1);
                let mut run = Archive::open_read_only(path)?;
                run.survey()?;
                run.damage_report().iter().for_each(|report| notice(report));
                for id in run.fittest(share)? {
                    let genome = run.individual(id)?.genome;
                    founders.push(Founder { genome, origin: format!("{word}#{id}") });
                }
            } else {
                let creature = load_creature(&subject).with_context(|| format!("--from {word}"))?;
                founders.push(Founder { genome: creature.file.genome, origin: word.clone() });
            }
        }
        Ok(founders)
    }
}
