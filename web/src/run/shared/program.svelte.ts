// How the program is started and where its runs are, for command lines.
import * as api from '../../lib/api'
import { commandLine } from '../../lib/commandLine'

class Program {
  /** Name of the folder of runs without the path to it; 'runs' until the server has answered. */
  folder = $state('runs')
  /** What starts the program in a shell. */
  private command = $state('burgess')
  #asked = false

  load(): void {
    if (this.#asked) return
    this.#asked = true
    api.about().then(
      (about) => {
        this.folder = about.folder
        this.command = about.command
      },
      () => (this.#asked = false),
    )
  }

  /** Returns a command of the program. */
  commandLine(...words: (string | number)[]): string {
    return commandLine(this.command, ...words)
  }
}

export const program = new Program()
