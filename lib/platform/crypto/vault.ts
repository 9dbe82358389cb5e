import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { env } from "@/lib/platform/env";

const IV = 12;
const TAG = 16;
const KEY = 32;

/** Length of a wrapped data key. */
const WRAPPED = IV + KEY + TAG;

export type Sealed = { sealed: Buffer; vaultKeyId: string };

/**
 * Envelope encryption of one secret (AES-256-GCM): a fresh data key encrypts the text, the vault key encrypts the
 * data key, and both authenticate the row's id, so that a ciphertext cannot move to another row. Layout: wrapped data
 * key (12 + 32 + 16 bytes), then the text (12 + n + 16).
 */
export const seal = (rowId: string, plaintext: string): Sealed =>
  sealBytes(rowId, Buffer.from(plaintext, "utf8"));

/** Encrypts a file like `seal`. */
export function sealBytes(rowId: string, plaintext: Buffer): Sealed {
  const dataKey = randomBytes(KEY);
  const sealed = Buffer.concat([encrypt(vaultKey(), rowId, dataKey), encrypt(dataKey, rowId, plaintext)]);
  return { sealed, vaultKeyId: vaultKeyId() };
}

/** Decrypts a row's text; throws when row, key or bytes do not match. */
export const unseal = (rowId: string, sealed: Sealed): string => unsealBytes(rowId, sealed).toString("utf8");

/** Decrypts a file like `unseal`. */
export function unsealBytes(rowId: string, { sealed, vaultKeyId: keyId }: Sealed): Buffer {
  const dataKey = decrypt(findVaultKey(keyId), rowId, sealed.subarray(0, WRAPPED));
  return decrypt(dataKey, rowId, sealed.subarray(WRAPPED));
}

/**
 * Re-encrypts a row's data key under the current vault key without decrypting the text. Throws when its vault key is
 * neither current nor among VAULT_KEYS_OLD.
 */
export function reseal(rowId: string, { sealed, vaultKeyId: keyId }: Sealed): Sealed {
  const dataKey = decrypt(findVaultKey(keyId), rowId, sealed.subarray(0, WRAPPED));
  const rewrapped = Buffer.concat([encrypt(vaultKey(), rowId, dataKey), sealed.subarray(WRAPPED)]);
  return { sealed: rewrapped, vaultKeyId: vaultKeyId() };
}

/** A keyed hash that identifies equal secrets. */
export function fingerprint(text: string): string {
  return createHmac("sha256", Buffer.from(env().VAULT_HASH_KEY, "base64")).update(text).digest("hex");
}

/** Six bytes of a keyed hash: a whole number by which secrets are looked up that may be equal. */
export function shortFingerprint(text: string): number {
  return Buffer.from(fingerprint(`short:${text}`), "hex").readUIntBE(0, 6);
}

const vaultKey = () => Buffer.from(env().VAULT_KEY, "base64");
const toKeyId = (key: Buffer) => createHash("sha256").update(key).digest("hex").slice(0, 12);

/** The current vault key's id, part of its hash. */
export const vaultKeyId = () => toKeyId(vaultKey());

/** The id of the key of the fingerprints, part of a hash. */
export const hashKeyId = () => toKeyId(Buffer.from(env().VAULT_HASH_KEY, "base64"));

/** Whether a vault key is the current one or among VAULT_KEYS_OLD. */
export const isVaultKeyConfigured = (keyId: string) => vaultKeysById().has(keyId);

const vaultKeysById = () => {
  const old = env().VAULT_KEYS_OLD.map((text) => Buffer.from(text, "base64"));
  return new Map([...old, vaultKey()].map((key) => [toKeyId(key), key]));
};

/** The current vault key, or one of VAULT_KEYS_OLD. */
function findVaultKey(keyId: string): Buffer {
  const key = vaultKeysById().get(keyId);
  if (!key) throw new Error(`vault key ${keyId} is not configured: add it to VAULT_KEYS_OLD`);
  return key;
}

function encrypt(key: Buffer, rowId: string, plaintextBytes: Buffer): Buffer {
  const iv = randomBytes(IV);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(rowId));
  return Buffer.concat([iv, cipher.update(plaintextBytes), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, rowId: string, ciphertext: Buffer): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, ciphertext.subarray(0, IV)).setAAD(
    Buffer.from(rowId),
  );
  decipher.setAuthTag(ciphertext.subarray(ciphertext.length - TAG));
  return Buffer.concat([decipher.update(ciphertext.subarray(IV, ciphertext.length - TAG)), decipher.final()]);
}
