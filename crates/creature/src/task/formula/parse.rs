//! From text to a program, by recursive descent with bounded depth.

use super::{Comparison, Formula, FormulaError, Function, MAX_DEPTH, MAX_LENGTH, Op};

pub(super) fn parse(text: &str) -> Result<Formula, FormulaError> {
    if text.len() > MAX_LENGTH {
        let what = format!("a formula may have {MAX_LENGTH} bytes, this one has {}", text.len());
        return Err(FormulaError { column: 1, what });
    }
    let mut parser =
        Parser { letters: text.chars().collect(), at: 0, depth: 0, program: Vec::new(), names: Vec::new() };
    parser.comparison()?;
    if parser.skip_space().is_some() {
        parser.expected("an operator or the end of the formula")?;
    }
    Ok(Formula { text: text.to_string(), program: parser.program, names: parser.names })
}

type Parsed = Result<(), FormulaError>;

struct Parser {
    letters: Vec<char>,
    at: usize,
    depth: usize,
    program: Vec<Op>,
    names: Vec<(String, usize)>,
}

impl Parser {
    /// The next letter that is not a space.
    fn skip_space(&mut self) -> Option<char> {
        while self.letters.get(self.at).is_some_and(|letter| letter.is_whitespace()) {
            self.at += 1;
        }
        self.letters.get(self.at).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.skip_space() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn error(&self, column: usize, what: String) -> Parsed {
        Err(FormulaError { column: column + 1, what })
    }

    fn expected(&mut self, what: &str) -> Parsed {
        let found = match self.skip_space() {
            Some(letter) => format!("'{letter}'"),
            None => "the end of the formula".to_string(),
        };
        self.error(self.at, format!("expected {what}, found {found}"))
    }

    /// Goes one level down and up again.
    fn deeper(&mut self, inner: fn(&mut Self) -> Parsed) -> Parsed {
        if self.depth >= MAX_DEPTH {
            return self.error(self.at, format!("is nested more than {MAX_DEPTH} levels deep"));
        }
        self.depth += 1;
        inner(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn comparison(&mut self) -> Parsed {
        self.sum()?;
        let Some(first) = self.skip_space() else { return Ok(()) };
        let is_doubled = self.letters.get(self.at + 1) == Some(&'=');
        let comparison = match (first, is_doubled) {
            ('<', false) => Comparison::Less,
            ('<', true) => Comparison::LessOrEqual,
            ('>', false) => Comparison::Greater,
            ('>', true) => Comparison::GreaterOrEqual,
            ('=', true) => Comparison::Equal,
            ('!', true) => Comparison::Different,
            ('=', false) => return self.error(self.at, "expected '==' for a comparison, found '='".to_string()),
            _ => return Ok(()),
        };
        self.at += 1 + usize::from(is_doubled);
        self.sum()?;
        self.program.push(Op::Compare(comparison));
        Ok(())
    }

    fn sum(&mut self) -> Parsed {
        self.product()?;
        loop {
            let op = match self.skip_space() {
                Some('+') => Op::Add,
                Some('-') => Op::Subtract,
                _ => return Ok(()),
            };
            self.at += 1;
            self.product()?;
            self.program.push(op);
        }
    }

    fn product(&mut self) -> Parsed {
        self.sign()?;
        loop {
            let op = match self.skip_space() {
                Some('*') => Op::Multiply,
                Some('/') => Op::Divide,
                _ => return Ok(()),
            };
            self.at += 1;
            self.sign()?;
            self.program.push(op);
        }
    }

    fn sign(&mut self) -> Parsed {
        if self.take('-') {
            self.deeper(Self::sign)?;
            self.program.push(Op::Negate);
            return Ok(());
        }
        self.value()?;
        if self.take('^') {
            self.deeper(Self::sign)?;
            self.program.push(Op::Power);
        }
        Ok(())
    }

    fn value(&mut self) -> Parsed {
        match self.skip_space() {
            Some('(') => {
                self.at += 1;
                self.deeper(Self::comparison)?;
                if self.take(')') { Ok(()) } else { self.expected("')'") }
            }
            Some(letter) if letter.is_ascii_digit() || letter == '.' => self.number(),
            Some(letter) if letter.is_ascii_alphabetic() || letter == '_' => self.word(),
            _ => self.expected("a number, a name or '('"),
        }
    }

    fn number(&mut self) -> Parsed {
        let start = self.at;
        let mut after_exponent = false;
        while let Some(&letter) = self.letters.get(self.at) {
            let belongs = letter.is_ascii_digit()
                || letter == '.'
                || matches!(letter, 'e' | 'E')
                || (after_exponent && matches!(letter, '+' | '-'));
            if !belongs {
                break;
            }
            after_exponent = matches!(letter, 'e' | 'E');
            self.at += 1;
        }
        let digits: String = self.letters[start..self.at].iter().collect();
        match digits.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.program.push(Op::Number(number));
                Ok(())
            }
            _ => self.error(start, format!("'{}' is no number", digits.chars().take(40).collect::<String>())),
        }
    }

    fn word(&mut self) -> Parsed {
        let start = self.at;
        while self.letters.get(self.at).is_some_and(|letter| letter.is_ascii_alphanumeric() || *letter == '_') {
            self.at += 1;
        }
        let word: String = self.letters[start..self.at].iter().collect();
        if self.skip_space() == Some('(') {
            return self.call(&word, start);
        }
        let known = self.names.iter().position(|(name, _)| *name == word);
        let name = known.unwrap_or_else(|| {
            self.names.push((word, start + 1));
            self.names.len() - 1
        });
        self.program.push(Op::Name(name));
        Ok(())
    }

    fn call(&mut self, word: &str, start: usize) -> Parsed {
        let Some(function) = Function::ALL.into_iter().find(|function| function.name() == word) else {
            let names = Function::ALL.map(Function::name);
            let hint = match burgess_files::closest(word, names) {
                Some(near) => format!("did you mean '{near}'?"),
                None => format!("there are {}", names.join(", ")),
            };
            let shown: String = word.chars().take(40).collect();
            return self.error(start, format!("there is no function called '{shown}'; {hint}"));
        };
        // The bracket that the caller has seen.
        self.at += 1;
        let mut count = 0;
        loop {
            self.deeper(Self::comparison)?;
            count += 1;
            if self.take(')') {
                break;
            }
            if !self.take(',') {
                return self.expected("',' or ')'");
            }
        }
        if let Some(wanted) = function.arguments().filter(|&wanted| wanted != count) {
            return self.error(start, format!("{word} takes {wanted} value(s), found {count}"));
        }
        self.program.push(Op::Call(function, count));
        Ok(())
    }
}
