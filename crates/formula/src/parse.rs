//! The parser: recursive descent with bounded depth, which emits operations in postfix order.

use crate::function::Function;
use crate::program::{Comparison, Op};
use crate::{Formula, FormulaError, MAX_DEPTH, MAX_LENGTH, shorten};

pub(crate) fn parse(text: &str) -> Result<Formula, FormulaError> {
    if text.len() > MAX_LENGTH {
        let what = format!("a formula may have at most {MAX_LENGTH} bytes, found {}", text.len());
        return Err(FormulaError { column: 1, what });
    }
    let mut parser =
        Parser { characters: text.chars().collect(), at: 0, depth: 0, program: Vec::new(), names: Vec::new() };
    parser.comparison()?;
    if parser.skip_space().is_some() {
        parser.expected("an operator or the end of the formula")?;
    }
    Ok(Formula { text: text.to_string(), program: parser.program, names: parser.names })
}

type Parsed = Result<(), FormulaError>;

struct Parser {
    characters: Vec<char>,
    at: usize,
    depth: usize,
    program: Vec<Op>,
    names: Vec<(String, usize)>,
}

impl Parser {
    /// Skips white space and returns the next character, without consuming it.
    fn skip_space(&mut self) -> Option<char> {
        while self.characters.get(self.at).is_some_and(|character| character.is_whitespace()) {
            self.at += 1;
        }
        self.characters.get(self.at).copied()
    }

    /// Consumes the next character if it is the wanted one.
    fn take(&mut self, wanted: char) -> bool {
        let found = self.skip_space() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn error(&self, column: usize, what: String) -> Parsed {
        Err(FormulaError { column: column + 1, what })
    }

    /// Fails with what was expected and the character that was found.
    fn expected(&mut self, what: &str) -> Parsed {
        let found = match self.skip_space() {
            Some(character) => format!("'{character}'"),
            None => "the end of the formula".to_string(),
        };
        self.error(self.at, format!("expected {what}, found {found}"))
    }

    /// Parses something one level deeper.
    fn nested(&mut self, inner: fn(&mut Self) -> Parsed) -> Parsed {
        if self.depth >= MAX_DEPTH {
            return self.error(self.at, format!("nested more than {MAX_DEPTH} levels deep"));
        }
        self.depth += 1;
        inner(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn comparison(&mut self) -> Parsed {
        self.sum()?;
        let Some(first) = self.skip_space() else { return Ok(()) };
        let is_followed_by_equals = self.characters.get(self.at + 1) == Some(&'=');
        let comparison = match (first, is_followed_by_equals) {
            ('<', false) => Comparison::Less,
            ('<', true) => Comparison::LessOrEqual,
            ('>', false) => Comparison::Greater,
            ('>', true) => Comparison::GreaterOrEqual,
            ('=', true) => Comparison::Equal,
            ('!', true) => Comparison::NotEqual,
            ('=', false) => return self.error(self.at, "expected '==' for a comparison, found '='".to_string()),
            _ => return Ok(()),
        };
        self.at += 1 + usize::from(is_followed_by_equals);
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
            self.nested(Self::sign)?;
            self.program.push(Op::Negate);
            return Ok(());
        }
        self.value()?;
        if self.take('^') {
            self.nested(Self::sign)?;
            self.program.push(Op::Power);
        }
        Ok(())
    }

    fn value(&mut self) -> Parsed {
        match self.skip_space() {
            Some('(') => {
                self.at += 1;
                self.nested(Self::comparison)?;
                if self.take(')') { Ok(()) } else { self.expected("')'") }
            }
            Some(character) if character.is_ascii_digit() || character == '.' => self.number(),
            Some(character) if character.is_ascii_alphabetic() || character == '_' => self.word(),
            _ => self.expected("a number, a name or '('"),
        }
    }

    fn number(&mut self) -> Parsed {
        let start = self.at;
        let mut after_exponent = false;
        while let Some(&character) = self.characters.get(self.at) {
            let belongs = character.is_ascii_digit()
                || character == '.'
                || matches!(character, 'e' | 'E')
                || (after_exponent && matches!(character, '+' | '-'));
            if !belongs {
                break;
            }
            after_exponent = matches!(character, 'e' | 'E');
            self.at += 1;
        }
        let digits: String = self.characters[start..self.at].iter().collect();
        match digits.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.program.push(Op::Number(number));
                Ok(())
            }
            _ => self.error(start, format!("'{}' is not a finite number", shorten(&digits))),
        }
    }

    fn word(&mut self) -> Parsed {
        let start = self.at;
        while self
            .characters
            .get(self.at)
            .is_some_and(|character| character.is_ascii_alphanumeric() || *character == '_')
        {
            self.at += 1;
        }
        let word: String = self.characters[start..self.at].iter().collect();
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
                None => format!("the functions are {}", names.join(", ")),
            };
            return self.error(start, format!("unknown function '{}'; {hint}", shorten(word)));
        };
        // The opening bracket, which the caller has seen.
        self.at += 1;
        let mut count = 0;
        loop {
            self.nested(Self::comparison)?;
            count += 1;
            if self.take(')') {
                break;
            }
            if !self.take(',') {
                return self.expected("',' or ')'");
            }
        }
        if let Some(wanted) = function.argument_count().filter(|&wanted| wanted != count) {
            let plural = if wanted == 1 { "" } else { "s" };
            return self.error(start, format!("{word} takes {wanted} argument{plural}, found {count}"));
        }
        self.program.push(Op::Call(function, count));
        Ok(())
    }
}
