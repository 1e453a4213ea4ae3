// The sky: a colour gradient from the horizon up and down, on a sphere round the camera.
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
        // Noise that depends only on the pixel's position: it hides bands in the gradient.
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

  setColours(palette: Palette): void {
    const { zenith, horizon, nadir } = this.mesh.material.uniforms
    zenith!.value.copy(palette.zenith)
    horizon!.value.copy(palette.horizon)
    nadir!.value.copy(palette.nadir)
  }

  /** Centres the sphere on the camera, with a radius between the near and the far plane. */
  follow(camera: Camera & { near: number }): void {
    this.mesh.scale.setScalar(camera.near * 2)
    this.mesh.position.copy(camera.position)
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
  }
}
