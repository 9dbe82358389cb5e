// Preloaded (`--import`) by the trial of skewed clocks: shifts the clock of the process by SKEW_MS.
const skew = Number(process.env.SKEW_MS ?? 0);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + skew);
    else super(...args);
  }
  static now() {
    return RealDate.now() + skew;
  }
};
