//! Values of formulas, and error messages for invalid ones.

use burgess_formula::{Formula, MAX_LENGTH};
use proptest::prelude::*;

fn value(text: &str) -> f64 {
    let formula = Formula::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    formula.evaluate(|name| match name {
        "x" => Some(3.0),
        "zero" => Some(0.0),
        "nan" => Some(f64::NAN),
        "infinite" => Some(f64::INFINITY),
        _ => None,
    })
}

fn error(text: &str) -> String {
    Formula::parse(text).map(|formula| formula.text().to_string()).unwrap_err().to_string()
}

#[test]
fn operators_bind_as_usual() {
    assert_eq!(value("1 + 2 * 3"), 7.0);
    assert_eq!(value("(1 + 2) * 3"), 9.0);
    assert_eq!(value("8 - 4 - 2"), 2.0);
    assert_eq!(value("8 / 4 / 2"), 1.0);
    assert_eq!(value("2 ^ 3 ^ 2"), 512.0);
    assert_eq!(value("-2 ^ 2"), -4.0);
    assert_eq!(value("2 ^ -1"), 0.5);
    assert_eq!(value("--x"), 3.0);
    assert_eq!(value("1 + 1 < 3 * 1"), 1.0);
    assert_eq!(value("1e-3 * 2E+3 + .5"), 2.5);
    assert_eq!(value("x > 2"), 1.0);
    assert_eq!(value("x <= 2"), 0.0);
    assert_eq!(value("(x == 3) + (x != 3) + (x >= 3)"), 2.0);
}

#[test]
fn functions_have_their_usual_values() {
    assert_eq!(value("min(3, 1, 2) + max(3, 1, 2) + min(7)"), 11.0);
    assert_eq!(value("abs(-2) + sqrt(9)"), 5.0);
    assert!((value("exp(1) - 2.718281828459045").abs()) < 1e-15);
    assert_eq!(value("log(exp(2))"), 2.0);
    assert_eq!(value("clamp(5, 0, 1) + clamp(-5, 0, 1) + clamp(0.5, 0, 1)"), 1.5);
    assert_eq!(value("if(x > 2, 10, 20) + if(0, 1, 2)"), 12.0);
}

#[test]
fn every_value_is_finite() {
    assert_eq!(value("1 / 0"), 1.0 / 1e-9);
    assert_eq!(value("-1 / zero"), -1.0 / 1e-9);
    assert_eq!(value("1 / -1e-20"), -1.0 / 1e-9);
    assert_eq!(value("sqrt(-4)"), 0.0);
    assert_eq!(value("log(0)"), value("log(1e-9)"));
    assert_eq!(value("(-8) ^ 0.5"), 0.0);
    assert_eq!(value("0 ^ -1"), 1e12);
    assert_eq!(value("exp(1e9)"), 1e12);
    assert_eq!(value("1e300 * 1e300"), 1e12);
    assert_eq!(value("nan + 1"), 1.0);
    assert_eq!(value("infinite - infinite"), 0.0);
    assert_eq!(value("unknown"), 0.0);
    // Both branches of an `if` are evaluated; the one that is not taken has no effect.
    assert_eq!(value("if(zero == 0, 1, 1 / zero)"), 1.0);
}

#[test]
fn errors_give_the_column_and_what_was_found() {
    assert_eq!(error(""), "column 1: expected a number, a name or '(', found the end of the formula");
    assert_eq!(error("1 + * 2"), "column 5: expected a number, a name or '(', found '*'");
    assert_eq!(error("1 2"), "column 3: expected an operator or the end of the formula, found '2'");
    assert_eq!(error("(1"), "column 3: expected ')', found the end of the formula");
    assert_eq!(error("max(1 2)"), "column 7: expected ',' or ')', found '2'");
    assert_eq!(error("maxx(1)"), "column 1: unknown function 'maxx'; did you mean 'max'?");
    assert_eq!(error("clamp(1, 2)"), "column 1: clamp takes 3 arguments, found 2");
    assert_eq!(error("1 = 2"), "column 3: expected '==' for a comparison, found '='");
    assert_eq!(error("1.2.3"), "column 1: '1.2.3' is not a finite number");
    assert_eq!(error("1e999"), "column 1: '1e999' is not a finite number");
    assert_eq!(error("ä"), "column 1: expected a number, a name or '(', found 'ä'");
    assert_eq!(error(&"(".repeat(100)), "column 66: nested more than 64 levels deep");
    assert_eq!(error(&"-".repeat(4000)), "column 66: nested more than 64 levels deep");
    assert_eq!(
        error(&"1+".repeat(3000)),
        format!("column 1: a formula may have at most {MAX_LENGTH} bytes, found 6000")
    );
    let unknown = Formula::parse("distence + length").unwrap().check_names(&["distance", "length"]).unwrap_err();
    assert_eq!(unknown.to_string(), "column 1: unknown name 'distence'; did you mean 'distance'?");
}

#[test]
fn formulas_are_stored_as_text() {
    let formula: Formula = serde_json::from_str("\"x + 1\"").unwrap();
    assert_eq!(formula, Formula::parse("x + 1").unwrap());
    assert_eq!(formula.names().collect::<Vec<_>>(), ["x"]);
    assert_eq!(serde_json::to_string(&formula).unwrap(), "\"x + 1\"");
    let error = serde_json::from_str::<Formula>("\"x +\"").unwrap_err().to_string();
    assert!(error.starts_with("column 4: expected a number, a name or '('"), "{error}");
    assert!(Formula::default().is_empty() && !formula.is_empty());
}

#[test]
fn long_sums_do_not_overflow_the_stack() {
    let sum = format!("1{}", "+1".repeat(2000));
    assert_eq!(value(&sum), 2001.0);
}

/// Well-formed formulas over a few names.
fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (-1e3..1e3_f64).prop_map(|number| format!("({number:e})")),
        Just("x".to_string()),
        Just("zero".to_string()),
        Just("nan".to_string()),
        Just("infinite".to_string()),
    ];
    leaf.prop_recursive(8, 64, 3, |inner| {
        let operator = prop::sample::select(vec!["+", "-", "*", "/", "^", "<", ">="]);
        let unary = prop::sample::select(vec!["-", "abs", "sqrt", "exp", "log"]);
        let ternary = prop::sample::select(vec!["if", "clamp", "min", "max"]);
        prop_oneof![
            (inner.clone(), operator, inner.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            (unary, inner.clone()).prop_map(|(name, a)| format!("{name}({a})")),
            (ternary, inner.clone(), inner.clone(), inner).prop_map(|(name, a, b, c)| format!("{name}({a}, {b}, {c})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_valid_formula_has_a_finite_value(text in expression()) {
        let result = value(&text);
        prop_assert!(result.is_finite() && result.abs() <= 1e12, "{text}: {result}");
    }

    #[test]
    fn any_text_is_parsed_or_refused(text in "[-+*/^()<>=!, .0-9exinfmaul_ä]{0,60}") {
        if let Ok(formula) = Formula::parse(&text) {
            prop_assert!(formula.evaluate(|_| Some(1.5)).is_finite());
            prop_assert_eq!(formula.text(), text);
        }
    }
}
