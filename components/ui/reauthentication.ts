import { createContext, useContext } from "react";
import type { ApiResult } from "@/lib/platform/api/client";

export type WithReauthentication = <T>(call: () => Promise<ApiResult<T>>) => Promise<ApiResult<T>>;

/** Provided by the page's frame, so that a button of any folder can ask without knowing the form of the account. */
export const ReauthenticationContext = createContext<WithReauthentication>((call) => call());

/** Makes a call, again after the dialog if the server requires it. A closed dialog is an error without a message. */
export const useReauthentication = (): WithReauthentication => useContext(ReauthenticationContext);
