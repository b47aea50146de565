# shellcheck shell=bash
# A small Debian tree with the certificates this machine trusts, laid out like the official slim image.

# Empty: the mirror that debootstrap takes by itself.
MIRROR="${SWE_TOGETHER_DEBIAN_MIRROR:-}"

# host_bundle: the file of certificates this machine trusts.
host_bundle() { printf '%s\n' "${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}"; }

# one_per_line FILE: every certificate of a bundle as one line of base64, so that bundles can be compared as text.
one_per_line() {
    awk '/-----BEGIN CERTIFICATE-----/ { inside = 1; line = ""; next }
         /-----END CERTIFICATE-----/   { inside = 0; print line; next }
         inside                        { gsub(/[ \t\r]/, ""); line = line $0 }' "$1"
}

# missing_certificates HOST_BUNDLE IMAGE_BUNDLE: one line for each certificate that only the host has.
missing_certificates() {
    LC_ALL=C comm -23 <(one_per_line "$1" | LC_ALL=C sort -u) <(one_per_line "$2" | LC_ALL=C sort -u)
}

write_root() { as_root tee "$1" >/dev/null; }

# As local certificates, so that a later `apt-get install ca-certificates` in a task image keeps them.
add_host_certificates() {
    local rootfs="$1" bundle added=0 line own="$1/etc/ssl/certs/ca-certificates.crt"
    bundle="$(host_bundle)"
    [ -r "$own" ] || fail "debootstrap left no readable $own; remove the image and run this again"
    [ -r "$bundle" ] || { say "no certificate bundle at $bundle; the image keeps Debian's own"; return; }
    while IFS= read -r line; do
        added=$((added + 1))
        {
            echo "-----BEGIN CERTIFICATE-----"
            fold -w 64 <<<"$line"
            echo "-----END CERTIFICATE-----"
        } | write_root "$rootfs/usr/local/share/ca-certificates/host-$(printf '%03d' "$added").crt"
    done < <(missing_certificates "$bundle" "$own")
    say "adding $added certificates of this machine to the image"
    logged update-ca-certificates as_root chroot "$rootfs" update-ca-certificates
}

write_sources() {
    local mirror security
    mirror="$(awk '$1 == "deb" { print $2; exit }' "$1/etc/apt/sources.list")"
    security="${SWE_TOGETHER_DEBIAN_SECURITY_MIRROR:-${mirror%/}-security}"
    as_root rm -f "$1/etc/apt/sources.list"
    write_root "$1/etc/apt/sources.list.d/debian.sources" <<END
Types: deb
URIs: $mirror
Suites: $2 $2-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: $security
Suites: $2-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
}

# The same habits as the official image: no services started, no package cache, no manuals.
write_habits() {
    local apt="$1/etc/apt/apt.conf.d" dpkg="$1/etc/dpkg/dpkg.cfg.d"
    printf '#!/bin/sh\nexit 101\n' | write_root "$1/usr/sbin/policy-rc.d"
    as_root chmod 755 "$1/usr/sbin/policy-rc.d"
    write_root "$apt/docker-clean" <<'END'
DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/archives/partial/*.deb /var/cache/apt/*.bin || true"; };
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
END
    printf 'Acquire::Languages "none";\n' | write_root "$apt/docker-no-languages"
    printf 'Acquire::GzipIndexes "true";\n' | write_root "$apt/docker-gzip-indexes"
    printf 'force-unsafe-io\n' | write_root "$dpkg/docker-apt-speedup"
    printf 'path-exclude %s\n' '/usr/share/doc/*' '/usr/share/man/*' '/usr/share/info/*' '/usr/share/locale/*' \
        '/usr/share/lintian/*' '/usr/share/groff/*' '/usr/share/linda/*' | write_root "$dpkg/docker"
    printf 'path-include /usr/share/doc/*/copyright\n' | as_root tee -a "$dpkg/docker" >/dev/null
}

strip_rootfs() {
    local rootfs="$1" dir
    as_root find "$rootfs/usr/share/doc" -type f ! -name copyright -delete
    as_root find "$rootfs/usr/share/doc" -type l -delete
    as_root find "$rootfs/usr/share/doc" -type d -empty -delete
    for dir in man info locale lintian groff; do as_root rm -rf "${rootfs:?}/usr/share/$dir"; done
    as_root find "$rootfs/var/cache/apt" "$rootfs/var/lib/apt/lists" "$rootfs/var/log" -type f -delete
    # Those of this machine; Docker mounts its own over them in every container.
    as_root rm -f "$rootfs/etc/resolv.conf" "$rootfs/etc/hostname"
}

# make_rootfs SUITE DIR
make_rootfs() {
    local suite="$1" rootfs="$2" scripts=/usr/share/debootstrap/scripts
    local args=(--variant=minbase --include=ca-certificates "$suite" "$rootfs" "$MIRROR")
    # An older debootstrap knows no script of this name; every Debian suite shares the one of sid.
    [ -e "$scripts/$suite" ] || args+=("$scripts/sid")
    logged debootstrap as_root env "PATH=$PATH" debootstrap "${args[@]}" \
        || fail "debootstrap could not fetch $suite from ${MIRROR:-its own mirror}; set SWE_TOGETHER_DEBIAN_MIRROR to a mirror that answers"
    write_sources "$rootfs" "$suite"
    write_habits "$rootfs"
    add_host_certificates "$rootfs"
    strip_rootfs "$rootfs"
}
