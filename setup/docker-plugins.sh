# shellcheck shell=bash
# Compose v2 and buildx, the two plugins of the docker command that Harbor needs.

compose_works() { [[ "$(docker compose version --short 2>/dev/null || true)" =~ ^v?([2-9]|[1-9][0-9]+)\. ]]; }
buildx_works() { docker buildx version >/dev/null 2>&1; }

# The version apt would install; empty where it knows none.
apt_candidate() { apt-cache policy "$1" 2>/dev/null | awk '/Candidate:/ && $2 != "(none)" { print $2 }'; }

# first_package MIN_MAJOR NAME…: the first package that apt offers in at least that major version.
# Debian 12 calls Compose v1 what Debian 13 calls v2, hence the check.
first_package() {
    local minimum="$1" name version
    shift
    for name in "$@"; do
        version="$(apt_candidate "$name")"
        version="${version#*:}"
        if [ -n "$version" ] && [ "${version%%.*}" -ge "$minimum" ] 2>/dev/null; then
            echo "$name"
            return
        fi
    done
}

# The mirror that this machine's own apt takes Debian from; empty on other systems.
own_mirror() {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | awk '/\/debian\/?$/ { print; exit }'
}

# The plugins of Debian 13 are static but for libc6 >= 2.34, so they run on any current Debian or Ubuntu. An apt
# configuration of our own fetches them: the machine's own package sources stay as they are.
install_from_trixie() {
    local dir mirror source
    mirror="${SWE_TOGETHER_DEBIAN_MIRROR:-$(own_mirror)}"
    [ -n "$mirror" ] || fail "no Debian mirror is known here; set SWE_TOGETHER_DEBIAN_MIRROR to one"
    source="deb $mirror trixie main"
    local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    [ -e "$keyring" ] || apt_install debian-archive-keyring
    dir="$(mktemp -d)"
    # shellcheck disable=SC2064  # the folder is known now
    trap "rm -rf '$dir'" RETURN
    mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial"
    echo "${source/deb /deb [signed-by=$keyring] }" >"$dir/sources.list"
    local apt=(apt-get -q -o "Dir::Etc::SourceList=$dir/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$dir/lists" -o "Dir::Cache=$dir/cache" -o APT::Sandbox::User=root)
    logged trixie-update "${apt[@]}" update || return 1
    (cd "$dir" && logged trixie-download "${apt[@]}" download "$@") || return 1
    logged trixie-install as_root dpkg -i "$dir"/*.deb
}

# install_plugin NAME MIN_MAJOR DEBIAN_NAME PACKAGE…
install_plugin() {
    local plugin="$1" minimum="$2" debian_name="$3" package
    shift 3
    can_install || fail "the docker command has no $plugin, and this user may not install it: \
see https://docs.docker.com/$plugin/install/, or run this as root on Debian or Ubuntu"
    apt_update
    package="$(first_package "$minimum" "$@")"
    if [ -n "$package" ]; then
        say "installing $plugin (package $package)"
        apt_install "$package" || fail "apt could not install $package; install docker $plugin by hand"
    else
        say "installing $plugin (package $debian_name of Debian 13)"
        install_from_trixie "$debian_name" || fail "could not install docker $plugin; install it by hand: https://docs.docker.com/$plugin/install/"
    fi
}

ensure_plugins() {
    if compose_works; then
        skip "docker compose is there"
    else
        install_plugin compose 2 docker-compose docker-compose-v2 docker-compose-plugin docker-compose
        compose_works || fail "'docker compose version' still fails after installing it; look at 'docker info'"
    fi
    if buildx_works; then
        skip "docker buildx is there"
    else
        install_plugin buildx 0 docker-buildx docker-buildx docker-buildx-plugin
        buildx_works || fail "'docker buildx version' still fails after installing it; look at 'docker info'"
    fi
}
