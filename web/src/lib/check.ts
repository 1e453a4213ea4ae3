// Checks of data from outside: a check returns its argument with a type, or throws an error that names the wrong field.

/** Checks a value; `path` names it in error messages. */
export type Check<T> = (value: unknown, path: string) => T

export class InvalidData extends Error {
  constructor(
    message: string,
    /** What is wrong where, if a value has the wrong type. */
    readonly detail?: { path: string; expected: string; found: string },
  ) {
    super(message)
  }
}

function fail(path: string, expected: string, value: unknown): never {
  const found = describe(value)
  throw new InvalidData(`${path}: expected ${expected}, found ${found}.`, { path, expected, found })
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object') return 'an object'
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

export const number: Check<number> = (value, path) =>
  typeof value === 'number' ? value : fail(path, 'a number', value)

export const string: Check<string> = (value, path) => (typeof value === 'string' ? value : fail(path, 'a text', value))

export const boolean: Check<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : fail(path, 'true or false', value)

export const anything: Check<unknown> = (value) => value

/** One of a few texts. */
export function oneOf<T extends string>(...options: readonly T[]): Check<T> {
  return (value, path) =>
    options.includes(value as T) ? (value as T) : fail(path, `one of ${options.join(', ')}`, value)
}

/** A value that may be null or missing. */
export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value, path) => (value === null || value === undefined ? null : check(value, path))
}

/** A value that may be missing. */
export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value, path) => (value === undefined ? undefined : check(value, path))
}

export function list<T>(check: Check<T>): Check<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) fail(path, 'a list', value)
    for (let index = 0; index < value.length; index++) check(value[index], `${path}[${index}]`)
    return value as T[]
  }
}

/** A list of numbers of a given length. */
export function tuple<T extends number[]>(length: T['length']): Check<T> {
  const numbers = list(number)
  return (value, path) => {
    if (numbers(value, path).length !== length) fail(path, `${length} numbers`, value)
    return value as T
  }
}

/** An object whose values all have one type. */
export function record<T>(check: Check<T>): Check<Record<string, T>> {
  return (value, path) => {
    for (const [key, each] of Object.entries(plainObject(value, path))) check(each, `${path}.${key}`)
    return value as Record<string, T>
  }
}

type Fields<T> = { [Key in keyof T]-?: Check<T[Key]> }

/** An object with the given fields; others are ignored. */
export function object<T extends object>(fields: Fields<T>): Check<T> {
  const entries = Object.entries(fields) as [string, Check<unknown>][]
  return (value, path) => {
    const found = plainObject(value, path)
    for (const [key, check] of entries) check(found[key], `${path}.${key}`)
    return value as T
  }
}

/** Objects that are distinguished by the text in field `tag`. */
export function variants<T extends object>(tag: string, checks: Record<string, Check<T>>): Check<T> {
  return (value, path) => {
    const name = string(plainObject(value, path)[tag], `${path}.${tag}`)
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    return check ? check(value, path) : fail(`${path}.${tag}`, `one of ${Object.keys(checks).join(', ')}`, name)
  }
}

function plainObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path, 'an object', value)
  return value as Record<string, unknown>
}

/** Parses JSON and checks it. `name` says in error messages what the text is. */
export function parseJson<T>(text: string, check: Check<T>, name: string): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new InvalidData(`${name} is not valid JSON.`)
  }
  return check(value, name)
}
