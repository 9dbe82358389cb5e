export {
  NotFoundScreen as default,
  notFoundMetadata as generateMetadata,
} from "@/components/shell/not-found-screen";
