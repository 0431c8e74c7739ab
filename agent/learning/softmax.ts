/** Learning from examples: softmax regression over hashed features. Deterministic, without a library. */

/** Features hash into this many buckets: collisions are rare among the few ten thousand of the examples. */
const buckets = 2 ** 15;
/** Chosen by cross-validation over the examples' authors; more epochs fit the authors, not the customers. */
const epochs = 4;
const firstRate = 8;
/** Smaller errors change nothing that counts. */
const negligible = 0.002;

export interface Example {
  features: Uint16Array;
  label: number;
}

/** The buckets of these features, each once. */
export function hashed(features: Iterable<string>): Uint16Array {
  const found = new Set<number>();
  for (const feature of features) {
    // FNV-1a.
    let hash = 0x811c9dc5;
    for (let index = 0; index < feature.length; index += 1)
      hash = Math.imul(hash ^ feature.charCodeAt(index), 0x01000193);
    found.add(((hash >>> 15) ^ hash) & (buckets - 1));
  }
  return Uint16Array.from(found);
}

/** Learns to tell labels below `classes` apart; returns the function that gives the probability of each. */
export function learn(
  examples: readonly Example[],
  classes: number,
): (features: Uint16Array) => Float32Array {
  // Rows are features, so that one feature's weights lie together.
  const weights = new Float32Array(buckets * classes);
  const active = new Uint16Array(classes);
  const order = Uint32Array.from(examples.keys());
  let state = 1;
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    const rate = firstRate * (1 - epoch / epochs);
    for (let index = order.length - 1; index > 0; index -= 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const other = Math.floor((state / 2 ** 32) * (index + 1));
      [order[index], order[other]] = [order[other] ?? 0, order[index] ?? 0];
    }
    for (const index of order) {
      const example = examples[index];
      if (example === undefined) continue;
      const errors = probabilities(example.features);
      errors[example.label] = (errors[example.label] ?? 0) - 1;
      const step = rate / Math.sqrt(Math.max(1, example.features.length));
      let count = 0;
      for (let label = 0; label < classes; label += 1)
        if (Math.abs(errors[label] ?? 0) > negligible) active[count++] = label;
      for (const feature of example.features)
        for (let place = 0; place < count; place += 1) {
          const label = active[place] ?? 0;
          const at = feature * classes + label;
          weights[at] = (weights[at] ?? 0) - step * (errors[label] ?? 0);
        }
    }
  }
  return probabilities;

  function probabilities(features: Uint16Array): Float32Array {
    const scores = new Float32Array(classes);
    for (const feature of features) {
      const row = feature * classes;
      for (let label = 0; label < classes; label += 1)
        scores[label] = (scores[label] ?? 0) + (weights[row + label] ?? 0);
    }
    const scale = 1 / Math.sqrt(Math.max(1, features.length));
    const highest = scores.reduce((one, other) => Math.max(one, other));
    const powers = scores.map((score) => Math.exp((score - highest) * scale));
    const total = powers.reduce((one, other) => one + other);
    return powers.map((power) => power / total);
  }
}
