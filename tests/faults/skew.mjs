// Preloaded by the stand (`--import`): shifts the clock of the process by SKEW_MS.
const skew = Number(process.env.SKEW_MS ?? 0);
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...args) {
    if (args.length === 0) super(Real.now() + skew);
    else super(...args);
  }
  static now() {
    return Real.now() + skew;
  }
};
