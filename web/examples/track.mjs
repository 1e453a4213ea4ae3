// Reports a head that moves in a circle to `burgess serve --cave FILE`: node web/examples/track.mjs [ADDRESS [TOKEN]]
const [address = 'http://127.0.0.1:7380', token] = process.argv.slice(2)
const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }

for (let angle = 0; ; angle += 0.05) {
  const head = { position: [0.2 * Math.cos(angle), 0.2 * Math.sin(angle), 1.7], orientation: [0, 0, 0, 1] }
  const answer = await fetch(`${address}/api/cave/tracking`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ head }),
  })
  if (!answer.ok) throw new Error((await answer.json()).error)
  await new Promise((done) => setTimeout(done, 33))
}
