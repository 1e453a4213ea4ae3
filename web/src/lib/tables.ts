// Tables that the page writes itself: CSV (RFC 4180) and JSON.

export type Cell = string | number | null

/** Returns a table as comma-separated values; missing and non-finite numbers are empty. */
export function csv(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [columns, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: Cell): string {
  if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return ''
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns a table as a JSON list of objects; missing and non-finite numbers are null. */
export function json(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const objects = rows.map((row) =>
    JSON.stringify(Object.fromEntries(columns.map((name, k) => [name, row[k] ?? null]))),
  )
  return `[\n${objects.join(',\n')}\n]\n`
}

/** Saves a file through the browser's download dialog. */
export function download(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser needs the URL until it starts saving.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Saves a table as a file; the format is the extension of the name. */
export function downloadTable(name: string, columns: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const asJson = name.endsWith('.json')
  const type = asJson ? 'application/json' : 'text/csv'
  download(new Blob([(asJson ? json : csv)(columns, rows)], { type }), name)
}
