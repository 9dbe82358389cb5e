import { hash, verify } from "@node-rs/argon2";

// argon2id, OWASP's first choice: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let dummyHash: Promise<string> | undefined;

/** The argon2id hash of a password, as `verifyPassword` reads it. */
export const hashPassword = (password: string): Promise<string> => hash(password.normalize("NFKC"), COST);

/**
 * True if the password matches the hash. Without a hash it takes as long and returns false, so that the time does not
 * reveal whether the account exists.
 */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  dummyHash ??= hashPassword("nobody has this password");
  const matches = await verify(passwordHash ?? (await dummyHash), password.normalize("NFKC"));
  return matches && passwordHash != null;
}
