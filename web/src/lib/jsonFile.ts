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
    if (error instanceof InvalidData) throw new InvalidData(`${error.message} ${hint}`)
    throw error
  }
}
