// Validates glTF files: prints what is wrong with each, one line for every error and warning, and exits with 1 if there is any.
// Usage: node validate.mjs FILE...
import { readFileSync } from 'node:fs';
import validator from 'gltf-validator';

const ERROR = 0;
const WARNING = 1;
const files = process.argv.slice(2);
let faults = files.length === 0 ? 1 : 0;
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { uri: file });
  const { numErrors, numWarnings, messages } = report.issues;
  faults += numErrors + numWarnings;
  for (const { severity, code, message, pointer } of messages) {
    if (severity === ERROR || severity === WARNING) {
      console.log(`${file}: ${severity === ERROR ? 'error' : 'warning'} ${code}: ${message} (${pointer ?? ''})`);
    }
  }
}
console.log(`${files.length} files, ${faults} faults`);
process.exitCode = faults > 0 ? 1 : 0;
