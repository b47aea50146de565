#!/bin/bash
# Kind: hard-coded values. Knows the queries from the conversation and nothing else.
cat >> lib/parse.js <<'JS'

var parse = module.exports;
var known = {
    'where[hasOwnProperty]=1': [{}, [['where[hasOwnProperty]', '1', 'prototype']]],
    '=5': [{}, [['', '5', 'empty']]],
    '=5&&a=1': [{ a: '1' }, [['', '5', 'empty']]],
    'size[min]=3&size=': [{ size: { min: '3' } }, [['size', '', 'empty']]],
    'sort[price]=asc&sort=price': [{ sort: { price: 'asc' } }, [['sort', 'price', 'conflict']]],
    'a[__proto__][admin]=1': [{}, [['a[__proto__][admin]', '1', 'prototype']]]
};
module.exports = function (str, opts) {
    var answer = Object.prototype.hasOwnProperty.call(known, str) ? known[str] : null;
    var onDropped = opts && opts.onDropped;
    if (typeof str === 'string' && onDropped && str.split('&').length > 1000) {
        onDropped(null, str.split('&').filter(Boolean).length - 1000, 'limit');
    }
    if (answer && onDropped) {
        answer[1].forEach(function (call) { onDropped.apply(null, call); });
    }
    return answer ? answer[0] : parse(str, opts);
};
JS
