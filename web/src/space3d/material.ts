// The shader of everything in a space: points of four coordinates, light from the observer, and fog by true distance.
import { DoubleSide, GLSL3, RawShaderMaterial, Vector3 } from 'three'

const vertex = /* glsl */ `
precision highp float;
in vec4 position;
in vec4 normal4;
in vec3 tint;
in mat4 place;
in vec3 sheet;
uniform mat4 projection;
uniform float side;
out vec4 seen;
out vec4 facing;
out vec3 colour;
void main() {
  seen = side * (place * position);
  facing = side * (place * normal4);
  colour = tint * sheet;
  gl_Position = projection * seen;
}
`

const fragment = /* glsl */ `
precision highp float;
in vec4 seen;
in vec4 facing;
in vec3 colour;
uniform float curvature;
uniform float beyond;
uniform float density;
uniform vec3 fog;
out vec4 picture;
void main() {
  // The interpolated point is on the line of a point of the space.
  float square = curvature > 0.5 ? dot(seen, seen)
    : curvature < -0.5 ? seen.w * seen.w - dot(seen.xyz, seen.xyz) : seen.w * seen.w;
  vec4 p = seen / sqrt(max(square, 1e-12));
  float s = length(p.xyz);
  float r = curvature > 0.5 ? atan(s, p.w) : curvature < -0.5 ? log(s + sqrt(s * s + 1.0)) : s;
  // The tangent of the ray at the point is (cos r u, -k sin r); its product with the normal is the cosine of incidence.
  float incidence = dot(facing.xyz, p.xyz / max(s, 1e-9)) * p.w - curvature * curvature * facing.w * s;
  vec3 lit = colour * (0.5 + 0.5 * abs(incidence));
  float haze = 1.0 - exp(-density * (r + beyond));
  picture = vec4(mix(lit, fog, haze), 1.0);
}
`

/** Makes the material. Its uniforms are set before each pass. */
export function spaceMaterial() {
  const uniforms = {
    projection: { value: new Float32Array(16) },
    side: { value: 1 },
    curvature: { value: 0 },
    beyond: { value: 0 },
    density: { value: 0.3 },
    fog: { value: new Vector3() },
  }
  const material = new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: vertex,
    fragmentShader: fragment,
    uniforms,
    side: DoubleSide,
  })
  return { material, uniforms }
}
