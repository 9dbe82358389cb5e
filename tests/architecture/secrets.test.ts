import { describe } from "vitest";
import { check, isTest, type Tree } from "./tree";

/** What a leaked secret looks like. Words alone are no secret; a key behind them is. */
const SECRETS: [form: RegExp, what: string, inTests?: "made up"][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----/, "a private key"],
  [/\b[sr]k_live_[0-9A-Za-z]{8,}/, "a live key of Stripe"],
  [/\bwhsec_[0-9A-Za-z+/=]{24,}/, "a webhook secret", "made up"],
  [/\bre_[0-9A-Za-z]{8,}_[0-9A-Za-z]{16,}/, "a key of Resend"],
  [/\b(ghp|gho|ghs)_[0-9A-Za-z]{30,}|\bgithub_pat_[0-9A-Za-z_]{30,}/, "a token of GitHub"],
  [/\bAKIA[0-9A-Z]{16}\b/, "a key of AWS"],
  [/\bGOCSPX-[0-9A-Za-z_-]{20,}/, "a client secret of Google"],
];
const PICTURES = /\.(avif|png|webp|jpg|ico|woff2)$/;

const leaks = (tree: Tree) =>
  tree.files
    .filter((path) => !PICTURES.test(path))
    .flatMap((path) => {
      const lines = tree.read(path).split("\n");
      return SECRETS.flatMap(([form, what, inTests]) => {
        if (inTests && isTest(path)) return [];
        const line = lines.findIndex((text) => form.test(text));
        return line < 0 ? [] : [`${path}:${line + 1}: looks like ${what}`];
      });
    });

const environment = (tree: Tree) =>
  tree.files
    .filter((path) => /(^|\/)\.env/.test(path) && path !== ".env.example")
    .map((path) => `${path}: only .env.example is kept in the repository`);

describe("secrets", () => {
  // Put together here, so that this file is none itself.
  const _key = ["sk", "live", "51H8abcdefgh"].join("_");
  const _pem = ["-----BEGIN RSA", "PRIVATE KEY-----"].join(" ");
  check("no file holds a secret", leaks);
  check("no environment file is kept", environment);
});
