// Draws frames of a wall off screen, one picture for each eye, and shows a drawn frame: warped, and in the wall's stereo mode.
import {
  HalfFloatType,
  Matrix3,
  Matrix4,
  Mesh,
  OrthographicCamera,
  PerspectiveCamera,
  PlaneGeometry,
  Ray,
  Scene,
  ShaderMaterial,
  Vector3,
  WebGLRenderTarget,
  type Texture,
  type WebGLRenderer,
} from 'three'
import type { Cave, MenuLayout, MenuView, Stereo, WallSpec } from '../lib/protocol'
import { createRenderer } from '../scene3d/environment'
import { eyes, turned, wallProjection, type Point, type Rectangle } from './projection'
import { cornersToSquare, eyesOf, placeInPicture, type Corners } from './warp'
import { CLOSED, meet } from './menu'
import { MenuPanel } from './menuPanel'
import { HandRays } from './handRays'
import { directionInRoom, toRoom, toWorld, type Room, type User } from './wallFrame'
import { WorldScene } from './worldScene'

const MODES: Record<Stereo, number> = { none: 0, left: 0, right: 0, 'side-by-side': 1, 'top-bottom': 2, anaglyph: 3 }
/** Side of the shadow map, in pixels. */
const SHADOWS = 1024
/** Samples of each pixel. */
const SAMPLES = 4

export class WallView {
  readonly world: WorldScene
  readonly renderer: WebGLRenderer
  readonly panel: MenuPanel
  /** The menu as it was drawn last. */
  menu: MenuView = CLOSED
  /** The eye whose picture was drawn last. */
  readonly camera = new PerspectiveCamera()
  private targets: WebGLRenderTarget[][] = []
  private width = 1
  private height = 1
  private readonly screen = new Scene()
  private readonly screenCamera = new OrthographicCamera(-1, 1, 1, -1, 0, 1)
  private readonly material: ShaderMaterial
  private eyePoints: Point[] = []
  private rectangle: Rectangle | null = null
  private room: Room = { position: [0, 0, 0], heading: 0 }
  private readonly rays = new HandRays()

  constructor(
    canvas: HTMLCanvasElement,
    readonly cave: Cave,
    public wall: WallSpec,
    layout: MenuLayout,
  ) {
    this.renderer = createRenderer(canvas)
    this.world = new WorldScene(cave.detail === 'low' ? 0 : SHADOWS)
    this.panel = new MenuPanel(layout)
    this.world.scene.add(this.panel.group, this.rays.object)
    this.camera.matrixAutoUpdate = false
    this.material = new ShaderMaterial({
      depthTest: false,
      depthWrite: false,
      uniforms: {
        first: { value: null as Texture | null },
        second: { value: null as Texture | null },
        toPicture: { value: new Matrix3() },
        mode: { value: MODES[wall.stereo] },
      },
      vertexShader: /* glsl */ `
        varying vec2 vPlace;
        void main() {
          vPlace = uv;
          gl_Position = vec4(position.xy, 0.0, 1.0);
        }`,
      fragmentShader: /* glsl */ `
        uniform sampler2D first;
        uniform sampler2D second;
        uniform mat3 toPicture;
        uniform int mode;
        varying vec2 vPlace;
        void main() {
          vec2 place = vPlace;
          bool isSecond = false;
          if (mode == 1) {
            isSecond = place.x >= 0.5;
            place.x = 2.0 * place.x - (isSecond ? 1.0 : 0.0);
          } else if (mode == 2) {
            isSecond = place.y < 0.5;
            place.y = 2.0 * place.y - (isSecond ? 0.0 : 1.0);
          }
          vec3 mapped = toPicture * vec3(place, 1.0);
          vec2 at = mapped.xy / mapped.z;
          bool isInside = all(greaterThanEqual(at, vec2(0.0))) && all(lessThanEqual(at, vec2(1.0)));
          vec3 one = texture2D(first, at).rgb;
          vec3 other = texture2D(second, at).rgb;
          vec3 colour = mode == 3 ? vec3(one.r, other.gb) : (isSecond ? other : one);
          gl_FragColor = vec4(isInside ? colour : vec3(0.0), 1.0);
          #include <colorspace_fragment>
        }`,
    })
    const quad = new Mesh(new PlaneGeometry(2, 2), this.material)
    quad.frustumCulled = false
    this.screen.add(quad)
    this.setCorners(wall.corners)
  }

  setCorners(corners: Corners): void {
    this.wall = { ...this.wall, corners: corners.map((corner) => [...corner]) as WallSpec['corners'] }
    const map = cornersToSquare(corners) as number[]
    this.material.uniforms['toPicture']!.value = new Matrix3().fromArray(map).transpose()
  }

  /** Sets the size of the window in pixels of the screen. */
  resize(width: number, height: number): void {
    if (width === this.width && height === this.height) return
    ;[this.width, this.height] = [Math.max(1, width), Math.max(1, height)]
    this.renderer.setPixelRatio(1)
    this.renderer.setSize(this.width, this.height, false)
    for (const target of this.targets.flat()) target.dispose()
    const count = eyesOf(this.wall.stereo).length
    const halves = MODES[this.wall.stereo]
    const size = [halves === 1 ? this.width / 2 : this.width, halves === 2 ? this.height / 2 : this.height]
    const samples = this.cave.detail === 'low' ? 0 : SAMPLES
    const target = () =>
      new WebGLRenderTarget(Math.ceil(size[0]!), Math.ceil(size[1]!), { type: HalfFloatType, samples })
    this.targets = [0, 1].map(() => Array.from({ length: count }, target))
  }

  /** Draws a frame off screen and waits until it is drawn. */
  draw(frame: number, room: Room, user: User, menu: MenuView): void {
    const { renderer, camera, world, cave, wall } = this
    if (this.targets.length === 0) return
    const at = (point: Point) => toWorld(room, point)
    ;[this.room, this.menu] = [room, menu]
    this.panel.set(menu, room)
    this.rays.set(user, room, menu)
    this.rectangle = {
      lower_left: at(wall.lower_left),
      lower_right: at(wall.lower_right),
      upper_left: at(wall.upper_left),
    }
    const [left, right] = eyes(user.head.position, user.head.orientation, cave.eye_separation)
    const chosen = { '-1': left, '0': user.head.position, '1': right }
    this.eyePoints = eyesOf(wall.stereo).map((eye) => at(chosen[`${eye}`]))
    const forward = turned(user.head.orientation, [0, 1, 0])
    world.follow(at(user.head.position), room.heading + Math.atan2(-forward[0], forward[1]))
    const targets = this.targets[frame % 2]!
    this.eyePoints.forEach((eye, index) => {
      const { view, projection } = wallProjection(this.rectangle!, eye, cave.near, cave.far)
      camera.matrix.copy(new Matrix4().fromArray(view).invert())
      camera.matrix.decompose(camera.position, camera.quaternion, camera.scale)
      camera.updateMatrixWorld(true)
      camera.projectionMatrix.fromArray(projection)
      camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert()
      renderer.setRenderTarget(targets[index]!)
      renderer.render(world.scene, camera)
    })
    renderer.setRenderTarget(null)
    // Reading a pixel waits for the graphics card. Without this, a wall would be ready before it has drawn.
    renderer.readRenderTargetPixels(targets[0]!, 0, 0, 1, 1, new Uint16Array(4))
  }

  /** Shows a frame that was drawn. Call it from an animation frame. */
  show(frame: number): void {
    const targets = this.targets[frame % 2]
    if (!targets) return
    this.material.uniforms['first']!.value = targets[0]!.texture
    this.material.uniforms['second']!.value = targets.at(-1)!.texture
    this.renderer.render(this.screen, this.screenCamera)
  }

  /** Returns the ray in the world from the eye through a place of the window; fractions from the lower left. */
  ray(x: number, y: number): Ray | null {
    const { rectangle } = this
    if (!rectangle) return null
    const { place, eye } = placeInPicture([x, y], this.wall.stereo, this.wall.corners as Corners)
    const corner = new Vector3(...rectangle.lower_left)
    const right = new Vector3(...rectangle.lower_right).sub(corner)
    const up = new Vector3(...rectangle.upper_left).sub(corner)
    const origin = new Vector3(...(this.eyePoints[eye] ?? this.eyePoints[0]!))
    const point = corner.addScaledVector(right, place[0]).addScaledVector(up, place[1])
    return new Ray(origin, point.sub(origin).normalize())
  }

  /** Returns where a ray of the world meets the menu's panel, and its distance in m; null if it does not. */
  meetMenu(ray: Ray): ReturnType<typeof meet> {
    const [from, along] = [ray.origin.toArray(), ray.direction.toArray()]
    return meet(this.menu, toRoom(this.room, from), directionInRoom(this.room, along))
  }

  dispose(): void {
    this.panel.dispose()
    this.rays.dispose()
    for (const target of this.targets.flat()) target.dispose()
    this.material.dispose()
    this.world.dispose()
    this.renderer.dispose()
  }
}
