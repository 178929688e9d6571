/** The names of routes as functions of `stepwell.*`. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  "uploads.create": "files.createUpload",
  "uploads.receive": "files.receive",
  "files.download": "files.content",
};

/** @param route Group and name in the route table, such as `runs.create`. */
export const operationName = (route: string) => OTHER_NAMES[route] ?? route;
