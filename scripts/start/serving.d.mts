type Serving = { pid: number; address: string };
export function noteServing(build: string, serving: Serving): () => void;
export function findServing(build: string): Serving | undefined;
