import { handlers } from "../../../stepwell.js";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = handlers;
