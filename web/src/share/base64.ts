// Decodes base64.

/** Decodes base64; throws an error if the text has other letters. */
export function bytesOfBase64(text: string): ArrayBuffer {
  const letters = atob(text.trim())
  const bytes = new Uint8Array(letters.length)
  for (let index = 0; index < letters.length; index++) bytes[index] = letters.charCodeAt(index)
  return bytes.buffer
}
