/**
 * Whether an address has a user name before its host: `https://known.example@other.example` leads to other.example. Browsers
 * take a backslash for a slash.
 */
export const hasUserinfo = (address: string): boolean => /^[a-z][a-z\d+.-]*:[\\/]*[^\\/?#]*@/i.test(address);
