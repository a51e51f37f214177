/** A key and a self-signed certificate for `localhost`, valid for a hundred years, for tests alone. */
export const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/L/H29UMxkaFzCrC
rAmkMYIjfCNBr2n1qKj/bkAsR/yhRANCAAR4L6wdr41O0qxA9P+gleCFPu+/Dgd+
3L+tO6sqbf4i+83lfoLn0kFjhJTEuOI+noKW3GmRdgQuHwmtMwK3u1vx
-----END PRIVATE KEY-----`;

export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUQcu+SWD4Kjtfw5cMPOXv5UHpgn8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjIxMzcwOFoYDzIxMjYxMDI5
MjEzNzA4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR4L6wdr41O0qxA9P+gleCFPu+/Dgd+3L+tO6sqbf4i+83lfoLn0kFj
hJTEuOI+noKW3GmRdgQuHwmtMwK3u1vxo28wbTAdBgNVHQ4EFgQUr3W8rCis7mBG
aSbcLAfSfM5GiX4wHwYDVR0jBBgwFoAUr3W8rCis7mBGaSbcLAfSfM5GiX4wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgR47sqIdqJnqrzauVk6izpYgWlxP4tJ8qM93KnsSaIjUCIQCM
o1mriCUir3xi3pwG0gA1GdwqMjTHpcTZHqkfV1RdHQ==
-----END CERTIFICATE-----`;
