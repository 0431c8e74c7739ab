/** A tenth of a property's cases, which every run has time for, or all of them with `TEST_CASES=all`. */
export const cases = (all: number): number =>
  process.env["TEST_CASES"] === "all" ? all : Math.ceil(all / 10);
