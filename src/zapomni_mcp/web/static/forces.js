// A force layout: nodes push each other away, links pull, all of it cools down.
// Barnes-Hut: far nodes count as one, so 2,000 of them take milliseconds a step.

const REPULSION = 1500;
const LINK_LENGTH = 62;
const GRAVITY = 0.03;
const FRICTION = 0.6;
const THETA_SQUARED = 0.81;
const DEEPEST = 22;
const COLD = 0.012;
const GOLDEN = Math.PI * (3 - Math.sqrt(5));

/** Places of nodes, by number; `alpha` is how warm the layout is. */
export class Forces {
  constructor() {
    this.count = 0;
    this.alpha = 0;
    this.x = this.y = this.vx = this.vy = new Float32Array(0);
    this.sources = this.targets = new Int32Array(0);
    this.held = -1;
    this.tree = new Quadtree();
  }

  get isWarm() {
    return this.alpha > COLD;
  }

  /** Take nodes (their earlier places, or where they come from) and links between them. */
  load(places, links) {
    this.count = places.length;
    this.x = new Float32Array(this.count);
    this.y = new Float32Array(this.count);
    this.vx = new Float32Array(this.count);
    this.vy = new Float32Array(this.count);
    places.forEach((place, at) => {
      const radius = place ? 18 : 14 * Math.sqrt(at + 0.5);
      const [x, y] = place ?? [0, 0];
      const isSettled = place?.length === 3;
      this.x[at] = x + (isSettled ? 0 : radius * Math.cos(at * GOLDEN));
      this.y[at] = y + (isSettled ? 0 : radius * Math.sin(at * GOLDEN));
    });
    this.sources = Int32Array.from(links, ([from]) => from);
    this.targets = Int32Array.from(links, ([, to]) => to);
    this.degrees = new Float32Array(this.count);
    for (const [from, to] of links) { this.degrees[from]++; this.degrees[to]++; }
    this.cooling = this.count > 800 ? 0.035 : 0.022;
    this.alpha = 1;
  }

  warm(alpha = 0.4) {
    this.alpha = Math.max(this.alpha, alpha);
  }

  /** Move everything by one step. */
  step() {
    this.#pull();
    this.tree.build(this.x, this.y, this.count);
    for (let at = 0; at < this.count; at++) this.tree.push(at, this.x, this.y, this.vx, this.vy, REPULSION * this.alpha);
    for (let at = 0; at < this.count; at++) {
      if (at === this.held) { this.vx[at] = this.vy[at] = 0; continue; }
      this.vx[at] = (this.vx[at] - this.x[at] * GRAVITY * this.alpha) * FRICTION;
      this.vy[at] = (this.vy[at] - this.y[at] * GRAVITY * this.alpha) * FRICTION;
      this.x[at] += this.vx[at];
      this.y[at] += this.vy[at];
    }
    this.alpha *= 1 - this.cooling;
  }

  #pull() {
    const { x, y, vx, vy, degrees, alpha } = this;
    for (let at = 0; at < this.sources.length; at++) {
      const from = this.sources[at], to = this.targets[at];
      const dx = x[to] - x[from] || 0.01, dy = y[to] - y[from] || 0.01;
      const distance = Math.sqrt(dx * dx + dy * dy);
      const pull = ((distance - LINK_LENGTH) / distance) * alpha / Math.min(degrees[from], degrees[to]);
      const share = degrees[from] / (degrees[from] + degrees[to]);
      vx[to] -= dx * pull * share; vy[to] -= dy * pull * share;
      vx[from] += dx * pull * (1 - share); vy[from] += dy * pull * (1 - share);
    }
  }
}

class Quadtree {
  constructor() {
    this.stack = new Int32Array(1024);
    this.#grow(64);
  }

  #grow(cells) {
    this.room = cells;
    this.child = new Int32Array(cells * 4);
    this.mass = new Float32Array(cells);
    this.sumX = new Float32Array(cells);
    this.sumY = new Float32Array(cells);
    this.side = new Float32Array(cells);
  }

  build(x, y, count) {
    if (this.room < count * 4 + 64) this.#grow(count * 4 + 64);
    let left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
    for (let at = 0; at < count; at++) {
      if (x[at] < left) left = x[at];
      if (x[at] > right) right = x[at];
      if (y[at] < top) top = y[at];
      if (y[at] > bottom) bottom = y[at];
    }
    this.cells = 0;
    const side = Math.max(right - left, bottom - top, 1);
    this.#open(side);
    for (let at = 0; at < count; at++) this.#insert(at, x, y, (left + right) / 2, (top + bottom) / 2, side / 4);
  }

  #open(side) {
    const cell = this.cells++;
    this.child.fill(0, cell * 4, cell * 4 + 4);
    this.mass[cell] = this.sumX[cell] = this.sumY[cell] = 0;
    this.side[cell] = side;
    return cell;
  }

  #insert(body, x, y, midX, midY, quarter) {
    let cell = 0;
    for (let depth = 0; ; depth++) {
      this.mass[cell]++;
      this.sumX[cell] += x[body];
      this.sumY[cell] += y[body];
      const isRight = x[body] > midX, isLow = y[body] > midY;
      const slot = cell * 4 + (isRight ? 1 : 0) + (isLow ? 2 : 0);
      midX += isRight ? quarter : -quarter;
      midY += isLow ? quarter : -quarter;
      const there = this.child[slot];
      if (there === 0) { this.child[slot] = -(body + 1); return; }
      if (there < 0) {
        if (depth > DEEPEST || this.cells >= this.room - 1) return; // nearly the same place: the mass counts
        const other = -there - 1;
        const inner = this.#open(quarter * 2);
        this.child[slot] = inner;
        this.mass[inner] = 1;
        this.sumX[inner] = x[other];
        this.sumY[inner] = y[other];
        this.child[inner * 4 + (x[other] > midX ? 1 : 0) + (y[other] > midY ? 2 : 0)] = -(other + 1);
      }
      cell = this.child[slot];
      quarter /= 2;
    }
  }

  push(body, x, y, vx, vy, strength) {
    const { child, mass, sumX, sumY, side, stack } = this;
    const ownX = x[body], ownY = y[body];
    let forceX = 0, forceY = 0, size = 0;
    stack[size++] = 0;
    while (size) {
      const cell = stack[--size];
      const dx = ownX - sumX[cell] / mass[cell], dy = ownY - sumY[cell] / mass[cell];
      const squared = dx * dx + dy * dy + 30;
      if (side[cell] * side[cell] < THETA_SQUARED * squared) {
        forceX += (dx * mass[cell]) / squared; forceY += (dy * mass[cell]) / squared;
        continue;
      }
      for (let slot = cell * 4; slot < cell * 4 + 4; slot++) {
        const there = child[slot];
        if (there > 0) { stack[size++] = there; continue; }
        const other = -there - 1;
        if (there === 0 || other === body) continue;
        const ox = ownX - x[other] || (body - other) * 0.01, oy = ownY - y[other];
        const near = ox * ox + oy * oy + 30;
        forceX += ox / near; forceY += oy / near;
      }
    }
    vx[body] += (forceX * strength) / 30;
    vy[body] += (forceY * strength) / 30;
  }
}
