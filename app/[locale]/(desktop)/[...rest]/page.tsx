import { notFound } from "next/navigation";

/** Every address that no page answers. */
export default function Nowhere() {
  notFound();
}
