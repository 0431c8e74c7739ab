/** Learning from examples: softmax regression over hashed features. Deterministic, without a library. */

/** Features hash into this many buckets: collisions are rare among the few ten thousand of the examples. */
const buckets = 2 ** 16;
/** Chosen by cross-validation over the examples' authors; more epochs fit the authors, not the customers. */
const epochs = 2;
const firstRate = 14;
/** FNV-1a. */
const [fnvStart, fnvPrime] = [0x811c9dc5, 0x01000193];
/** Smaller errors change nothing that counts. */
const negligible = 0.02;

export interface Example {
  features: Uint16Array;
  label: number;
}

/** A learned model; typed arrays only, so that it can be kept in a file. */
export interface Model {
  classes: number;
  /** The position of each feature's weights, one for each class; -1 without any. */
  rows: Int32Array;
  weights: Float32Array;
  /** The information of each feature. */
  worths: Float32Array;
}

/** The buckets of these features, each once. */
export function hashed(features: Iterable<string>): Uint16Array {
  const found = new Set<number>();
  for (const feature of features) {
    let hash = fnvStart;
    for (let index = 0; index < feature.length; index += 1)
      hash = Math.imul(hash ^ feature.charCodeAt(index), fnvPrime);
    found.add(((hash >>> 16) ^ hash) & (buckets - 1));
  }
  return Uint16Array.from(found);
}

/** Learns to tell labels below `classes` apart. */
export function learn(examples: readonly Example[], classes: number): Model {
  const counts = new Uint32Array(buckets);
  const rows = new Int32Array(buckets).fill(-1);
  let end = 0;
  // In the order in which features first occur: those of most examples lie together in memory.
  for (const { features } of examples)
    for (const feature of features) {
      counts[feature] = (counts[feature] ?? 0) + 1;
      if (counts[feature] > 1) continue;
      rows[feature] = end;
      end += classes;
    }
  // Rare features tell more: each counts by its inverse document frequency, dampened.
  const worths = Float32Array.from(
    counts,
    (count) => Math.log(1 + examples.length / Math.max(1, count)) ** 0.7,
  );
  const weights = new Float32Array(end);
  const model = { classes, rows, weights, worths };
  const active = new Uint16Array(classes);
  const known = examples.map(({ features, label }) => ({
    ...{ ...vectorOf(model, features), label },
    key: features.reduce((hash, feature) => Math.imul(hash ^ feature, fnvPrime), fnvStart),
  }));
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    // In an order that is random, but in which another example does not move the others.
    const orderOf = ({ key }: { key: number }) => Math.imul(key, 0x9e3779b1 + 2 * epoch);
    known.sort((one, other) => orderOf(one) - orderOf(other));
    for (const [place, { at, values, label }] of known.entries()) {
      // The rate falls to zero, so that the last examples count no more than others.
      const rate = firstRate * (1 - (epoch + place / known.length) / epochs);
      const errors = predict(model, at, values);
      errors[label] = (errors[label] ?? 0) - 1;
      let count = 0;
      for (let each = 0; each < classes; each += 1)
        if (Math.abs(errors[each] ?? 0) > negligible) active[count++] = each;
      for (let index = 0; index < at.length; index += 1) {
        const row = at[index] ?? 0;
        const step = rate * (values[index] ?? 0);
        for (let nth = 0; nth < count; nth += 1) {
          const each = active[nth] ?? 0;
          weights[row + each] = (weights[row + each] ?? 0) - step * (errors[each] ?? 0);
        }
      }
    }
  }
  return model;
}

/** The probability of each label. */
export function probabilities(model: Model, features: Uint16Array): Float64Array {
  const { at, values } = vectorOf(model, features);
  return predict(model, at, values);
}

/**
 * Where the features' weights are, and the features' values: together a vector of length 1, filled up to a
 * multiple of four with values of zero.
 */
function vectorOf({ rows, worths }: Model, features: Uint16Array): { at: Int32Array; values: Float32Array } {
  const places = Math.ceil(features.length / 4) * 4;
  const at = new Int32Array(places);
  const values = new Float32Array(places);
  let count = 0;
  let square = 0;
  for (const feature of features) {
    const worth = worths[feature] ?? 0;
    square += worth ** 2;
    const row = rows[feature] ?? -1;
    if (row < 0) continue;
    at[count] = row;
    values[count] = worth;
    count += 1;
  }
  const length = Math.sqrt(square) || 1;
  return { at, values: values.map((value) => value / length) };
}

function predict({ classes, weights }: Model, at: Int32Array, values: Float32Array): Float64Array {
  const scores = new Float64Array(classes);
  // Four features in one pass: one at a time takes three times as long.
  for (let index = 0; index < at.length; index += 4) {
    const one = at[index] ?? 0;
    const two = at[index + 1] ?? 0;
    const three = at[index + 2] ?? 0;
    const four = at[index + 3] ?? 0;
    const first = values[index] ?? 0;
    const second = values[index + 1] ?? 0;
    const third = values[index + 2] ?? 0;
    const fourth = values[index + 3] ?? 0;
    for (let label = 0; label < classes; label += 1)
      scores[label] =
        (scores[label] ?? 0) +
        first * (weights[one + label] ?? 0) +
        second * (weights[two + label] ?? 0) +
        third * (weights[three + label] ?? 0) +
        fourth * (weights[four + label] ?? 0);
  }
  let total = 0;
  for (let label = 0; label < classes; label += 1) total += scores[label] = Math.exp(scores[label] ?? 0);
  for (let label = 0; label < classes; label += 1) scores[label] = (scores[label] ?? 0) / total;
  return scores;
}
