// Types of the part of gifenc that is used here; the package has none.
declare module 'gifenc' {
  export type GifPalette = number[][]
  export interface Encoder {
    writeFrame(
      index: Uint8Array,
      width: number,
      height: number,
      options: { palette?: GifPalette; delay?: number; repeat?: number },
    ): void
    finish(): void
    bytes(): Uint8Array<ArrayBuffer>
  }
  export function GIFEncoder(): Encoder
  export function quantize(rgba: Uint8ClampedArray, colours: number, options?: { format?: string }): GifPalette
  export function applyPalette(rgba: Uint8ClampedArray, palette: GifPalette, format?: string): Uint8Array
}
