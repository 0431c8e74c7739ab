/** Learning from examples: softmax regression over hashed features. Deterministic, without a library. */

/** Features hash into this many buckets: collisions are rare among the few ten thousand of the examples. */
const buckets = 2 ** 16;
/** Chosen by cross-validation over the examples' authors; more epochs fit the authors, not the customers. */
const epochs = 3;
const firstRate = 14;
/** Smaller errors change nothing that counts. */
const negligible = 0.01;

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
    found.add(((hash >>> 16) ^ hash) & (buckets - 1));
  }
  return Uint16Array.from(found);
}

/** Learns to tell labels below `classes` apart; returns the function that gives the probability of each. */
export function learn(
  examples: readonly Example[],
  classes: number,
): (features: Uint16Array) => Float32Array {
  const counts = new Uint32Array(buckets);
  for (const { features } of examples)
    for (const feature of features) counts[feature] = (counts[feature] ?? 0) + 1;
  // Rare features tell more: each counts by its inverse document frequency, dampened.
  const worths = Float32Array.from(
    counts,
    (count) => Math.log(1 + examples.length / Math.max(1, count)) ** 0.7,
  );
  // Only features that occur have weights, and those of one feature lie together.
  let end = 0;
  const rows = Int32Array.from(counts, (count) => {
    end += count > 0 ? classes : 0;
    return end - classes;
  });
  const weights = new Float32Array(end);
  const scores = new Float32Array(classes);
  const active = new Uint16Array(classes);
  const known = examples.map(({ features, label }) => ({ ...vectorOf(features), label }));
  let state = 1;
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let index = known.length - 1; index > 0; index -= 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const [one, other] = [known[index], known[state % (index + 1)]];
      if (one && other) [known[index], known[state % (index + 1)]] = [other, one];
    }
    for (const [place, { at, values, label }] of known.entries()) {
      // The rate falls to zero, so that the last examples count no more than others.
      const rate = firstRate * (1 - (epoch + place / known.length) / epochs);
      predict(at, values);
      scores[label] = (scores[label] ?? 0) - 1;
      let count = 0;
      for (let each = 0; each < classes; each += 1)
        if (Math.abs(scores[each] ?? 0) > negligible) active[count++] = each;
      for (let index = 0; index < at.length; index += 1) {
        const row = at[index] ?? 0;
        const step = rate * (values[index] ?? 0);
        for (let nth = 0; nth < count; nth += 1) {
          const each = active[nth] ?? 0;
          weights[row + each] = (weights[row + each] ?? 0) - step * (scores[each] ?? 0);
        }
      }
    }
  }
  return (features) => {
    const { at, values } = vectorOf(features);
    predict(at, values);
    return scores.slice();
  };

  /** Where the features' weights are, and the features' values: together a vector of length 1. */
  function vectorOf(features: Uint16Array): { at: Int32Array; values: Float32Array } {
    let square = 0;
    for (const feature of features) square += (worths[feature] ?? 0) ** 2;
    const present = features.filter((feature) => (counts[feature] ?? 0) > 0);
    const at = new Int32Array(present.length);
    const values = new Float32Array(present.length);
    const length = Math.sqrt(square) || 1;
    for (const [index, feature] of present.entries()) {
      at[index] = rows[feature] ?? 0;
      values[index] = (worths[feature] ?? 0) / length;
    }
    return { at, values };
  }

  /** Sets `scores` to the probability of each label. */
  function predict(at: Int32Array, values: Float32Array): void {
    scores.fill(0);
    for (let index = 0; index < at.length; index += 1) {
      const row = at[index] ?? 0;
      const value = values[index] ?? 0;
      for (let label = 0; label < classes; label += 1)
        scores[label] = (scores[label] ?? 0) + value * (weights[row + label] ?? 0);
    }
    let total = 0;
    for (let label = 0; label < classes; label += 1) total += scores[label] = Math.exp(scores[label] ?? 0);
    for (let label = 0; label < classes; label += 1) scores[label] = (scores[label] ?? 0) / total;
  }
}
