import { expect, it } from 'vitest'
import { bytesOfBase64 } from './base64'

it('decodes all bytes', () => {
  const bytes = Uint8Array.from({ length: 259 }, (_, index) => index % 256)
  const text = Buffer.from(bytes).toString('base64')
  expect([...new Uint8Array(bytesOfBase64(`\n${text}\n`))]).toEqual([...bytes])
  expect(() => bytesOfBase64('not*base64')).toThrow()
})
