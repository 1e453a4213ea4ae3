// Name of the server's folder of runs, for command lines.
import * as api from '../../lib/api'

class Folder {
  /** Name of the folder without the path to it; 'runs' until the server has answered. */
  name = $state('runs')
  #asked = false

  load(): void {
    if (this.#asked) return
    this.#asked = true
    api.about().then(
      (about) => (this.name = about.folder),
      () => (this.#asked = false),
    )
  }
}

export const folder = new Folder()
