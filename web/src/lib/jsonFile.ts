// Reads JSON files that the user chose or dropped.
import { type Check, InvalidData, parseJson } from './check'
import { bytes } from './numbers'

/** Maximum size of a file that the server accepts, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024

/** Reads a file and checks its content; throws an error with a message for the user. `hint` says which files work. */
export async function readJsonFile<T>(file: File, check: Check<T>, hint: string): Promise<T> {
  if (file.size > MAX_BYTES)
    throw new InvalidData(`${file.name} has ${bytes(file.size)}; the maximum is ${bytes(MAX_BYTES)}. ${hint}`)
  try {
    return parseJson(await file.text(), check, file.name)
  } catch (error) {
    if (error instanceof InvalidData) throw new InvalidData(`${explain(error, file.name)} ${hint}`)
    throw error
  }
}

/** Says in a sentence what is wrong with a file. */
function explain({ message, detail }: InvalidData, name: string): string {
  if (!detail) return message
  const field = detail.path.slice(name.length).replace(/^\./, '')
  if (field === '') return `${name} must contain ${detail.expected}, but it contains ${detail.found}.`
  const found = detail.found === 'nothing' ? 'but it has none' : `but there it has ${detail.found}`
  return `${name} must have ${detail.expected} as '${field}', ${found}.`
}
