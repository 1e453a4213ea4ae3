// Clouds on a wide ring round the scene. They drift with the outer flow, as a function of time only.
import { BackSide, Color, CylinderGeometry, Mesh, ShaderMaterial, type Vector3 } from 'three'

export class Clouds {
  readonly mesh: Mesh<CylinderGeometry, ShaderMaterial>

  constructor() {
    const geometry = new CylinderGeometry(1, 1, 0.5, 48, 1, true)
    // The axis of three.js's cylinder is y, ours is z.
    geometry.rotateX(Math.PI / 2)
    const material = new ShaderMaterial({
      side: BackSide,
      transparent: true,
      depthWrite: false,
      uniforms: { drift: { value: 0 }, colour: { value: new Color('#fff') }, strength: { value: 0.7 } },
      vertexShader: /* glsl */ `
        varying vec3 vPlace;
        void main() {
          vPlace = position;
          gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
        }`,
      fragmentShader: /* glsl */ `
        uniform float drift;
        uniform vec3 colour;
        uniform float strength;
        varying vec3 vPlace;
        float random(vec3 p) { return fract(sin(dot(p, vec3(127.1, 311.7, 74.7))) * 43758.5453); }
        float noise(vec3 p) {
          vec3 cell = floor(p);
          vec3 f = fract(p);
          f = f * f * (3.0 - 2.0 * f);
          float a = mix(mix(random(cell), random(cell + vec3(1, 0, 0)), f.x),
                        mix(random(cell + vec3(0, 1, 0)), random(cell + vec3(1, 1, 0)), f.x), f.y);
          float b = mix(mix(random(cell + vec3(0, 0, 1)), random(cell + vec3(1, 0, 1)), f.x),
                        mix(random(cell + vec3(0, 1, 1)), random(cell + vec3(1, 1, 1)), f.x), f.y);
          return mix(a, b, f.z);
        }
        void main() {
          // Distance along the wind, so that clouds on both sides move downstream.
          vec3 p = vec3(5.0 * vPlace.x - drift, 5.0 * vPlace.y, 16.0 * vPlace.z);
          float cloud = 0.55 * noise(p) + 0.3 * noise(2.1 * p + 7.0) + 0.15 * noise(4.3 * p + 3.0);
          float band = smoothstep(-0.2, 0.0, vPlace.z) * (1.0 - smoothstep(0.08, 0.25, vPlace.z));
          gl_FragColor = vec4(colour, strength * band * smoothstep(0.5, 0.75, cloud));
          #include <colorspace_fragment>
        }`,
    })
    this.mesh = new Mesh(geometry, material)
    this.mesh.frustumCulled = false
    this.mesh.renderOrder = -8
  }

  setTheme(dark: boolean): void {
    this.mesh.material.uniforms.colour!.value.set(dark ? '#3d6f7a' : '#ffffff')
    this.mesh.material.uniforms.strength!.value = dark ? 0.45 : 0.8
  }

  /** Places the ring round a point, at a distance, with clouds that have drifted by a length. */
  place(centre: Vector3, distance: number, ground: number, drift: number): void {
    this.mesh.position.set(centre.x, centre.y, ground + 0.22 * distance)
    this.mesh.scale.setScalar(distance)
    this.mesh.material.uniforms.drift!.value = (5 * drift) / distance
  }

  dispose(): void {
    this.mesh.geometry.dispose()
    this.mesh.material.dispose()
  }
}
