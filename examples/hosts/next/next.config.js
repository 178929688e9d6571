/** Stepwell starts worker threads from its own files, so Next.js must not bundle it. */
export default { serverExternalPackages: ["stepwell"] };
