import type { z } from "zod";
import type { FileBody } from "./declaration";
import type { Binary } from "./response";
import type { Routes } from "./routes";

/*
 * The types of the client's calls, taken from the declarations of the route files. Types alone, so that a page carries no
 * schema.
 */
type Method = "GET" | "POST" | "PUT";

/** The paths with a method. The catch-all route answers unknown addresses and is not a call. */
type PathWith<M extends Method> = {
  [P in Exclude<keyof Routes, "/[...rest]">]: M extends keyof Routes[P] ? P : never;
}[Exclude<keyof Routes, "/[...rest]">];

/** `/product/detail/[id]` → a template type that `/product/detail/7` matches. */
type Template<P extends string> = P extends `${infer Before}[${string}]${infer After}`
  ? `${Before}${string}${Template<After>}`
  : P;

/** What a caller may write: the path of a call, or a text that matches the template of one. */
export type Address<M extends Method> = Template<PathWith<M>>;

type Slashes<P extends string> = P extends `${string}/${infer Rest}` ? `/${Slashes<Rest>}` : "";

/** The paths that an address can mean. `/products/7/undo` matches the template of `/products/[id]`, but has more slashes. */
type PathOf<M extends Method, A extends string> =
  A extends PathWith<M> ? A : Matching<PathWith<M>, A, Slashes<A>>;
type Matching<P extends string, A extends string, S extends string> = P extends `${string}[${string}`
  ? A extends Template<P>
    ? S extends Slashes<P>
      ? P
      : never
    : never
  : never;

type HandlerOf<M extends Method, P extends string> = P extends keyof Routes
  ? M extends keyof Routes[P]
    ? Routes[P][M]
    : never
  : never;
type DeclarationOf<M extends Method, A extends string> =
  HandlerOf<M, PathOf<M, A>> extends infer H ? (H extends { declaration: infer D } ? D : never) : never;
type Part<D, Name extends "query" | "body" | "result"> = D extends { [name in Name]?: infer Schema }
  ? NonNullable<Schema>
  : never;

/** What a caller sends: lists may be readonly. */
type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { [Field in keyof T]: Sent<T[Field]> }
    : T;
type Input<Schema> = [Schema] extends [never] ? Record<string, never> : Sent<z.input<Schema>>;

export type Query<M extends Method, A extends string> = Input<Part<DeclarationOf<M, A>, "query">>;

/** Never for a call that takes a file alone. */
export type Body<M extends Method, A extends string> = BodyOf<DeclarationOf<M, A>>;
type BodyOf<D> = D extends { file: FileBody; body?: undefined } ? never : Input<Part<D, "body">>;

/** The query of a call that takes a file; never for others. */
export type FileQuery<A extends string> = FileQueryOf<DeclarationOf<"POST", A>>;
type FileQueryOf<D> = D extends { file: FileBody } ? Input<Part<D, "query">> : never;

/** `data` of the response; never for one that is a file. */
export type Data<M extends Method, A extends string> = DataOf<Part<DeclarationOf<M, A>, "result">>;
type DataOf<R> = R extends Binary ? never : z.output<R>;
