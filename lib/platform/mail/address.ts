/** A single email address. */
export const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** The address in `Name <address>`. */
export const parseAddress = (from: string): string => /<([^<>]+)>$/.exec(from)?.[1] ?? from;
