import { decode, encode } from "next-auth/jwt";

/** next-auth's encrypted tokens (A256GCM, key derived from a secret and a salt): the session cookie and the cookies of sign-in. */
export const encodeToken = encode;
export const decodeToken = decode;
