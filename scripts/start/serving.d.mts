type Serving = { pid: number; address: string };
export function recordServing(build: string, serving: Serving): () => void;
export function findServing(build: string): Serving | undefined;
