/** Rejects with `createError()` if the promise settles later than after `ms`. The work behind it is not stopped. */
export async function withTimeout<T>(promise: Promise<T>, ms: number, createError: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(createError()), ms);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
