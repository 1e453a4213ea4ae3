// The sky: a gradient from the horizon up and down, on a ball round the camera.
import { BackSide, Color, Mesh, ShaderMaterial, SphereGeometry, type Camera } from 'three'
import type { Palette } from './palette'

export class Sky {
  readonly mesh: Mesh<SphereGeometry, ShaderMaterial>

  constructor() {
    const material = new ShaderMaterial({
      side: BackSide,
      depthWrite: false,
      depthTest: false,
      uniforms: { zenith: { value: new Color() }, horizon: { value: new Color() }, nadir: { value: new Color() } },
      vertexShader: /* glsl */ `
        varying vec3 vDirection;
        void main() {
          vDirection = position;
          gl_Position = projectionMatrix * mat4(mat3(viewMatrix)) * vec4(position, 1.0);
        }`,
      fragmentShader: /* glsl */ `
        uniform vec3 zenith;
        uniform vec3 horizon;
        uniform vec3 nadir;
        varying vec3 vDirection;
        // Noise of the pixel's place alone, against bands in a slow gradient.
        float grain(vec2 p) { return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453) - 0.5; }
        void main() {
          float up = normalize(vDirection).z;
          vec3 colour = up > 0.0 ? mix(horizon, zenith, pow(up, 0.62)) : mix(horizon, nadir, pow(-up, 0.4));
          gl_FragColor = vec4(colour, 1.0);
          #include <colorspace_fragment>
          gl_FragColor.rgb += grain(gl_FragCoord.xy) / 255.0;
        }`,
    })
    this.mesh = new Mesh(new SphereGeometry(1, 32, 16), material)
    this.mesh.frustumCulled = false
    this.mesh.renderOrder = -10
  }

  colour(palette: Palette): void {
    const { zenith, horizon, nadir } = this.mesh.material.uniforms
    zenith!.value.copy(palette.zenith)
    horizon!.value.copy(palette.horizon)
    nadir!.value.copy(palette.nadir)
  }

  /** Scaled to lie between the near and the far plane. */
  fit(camera: Camera & { near: number }): void {
    this.mesh.scale.setScalar(camera.near * 2)
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
  }
}
