/** What the connections of DATABASE_URL keep from one transaction to the next. */
export type ConnectionPath = { keepsSettings: boolean; keepsStatements: boolean };

export const DIRECT_PATH: ConnectionPath = { keepsSettings: true, keepsStatements: true };

// Next bundles this module separately from the server entry. The copies share the result through globalThis.
const globals = globalThis as typeof globalThis & { passlaneRequestPath?: ConnectionPath };

/** The result of `tryDatabase` for DATABASE_URL; a direct one before. */
export const requestPath = (): ConnectionPath => globals.passlaneRequestPath ?? DIRECT_PATH;

export function setRequestPath(path: ConnectionPath): void {
  globals.passlaneRequestPath = path;
}
